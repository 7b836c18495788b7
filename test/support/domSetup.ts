import '@testing-library/jest-dom/vitest';
import { cleanup } from '@testing-library/react';
import { afterEach } from 'vitest';

afterEach(cleanup);

// happy-dom reports an error for every frame that it may not load. Here a test fires the load events.
for (const method of Object.getOwnPropertySymbols(HTMLIFrameElement.prototype)) {
  const inherited: unknown = Reflect.get(HTMLElement.prototype, method);
  if (['connectedToDocument', 'onSetAttribute'].includes(method.description ?? ''))
    Reflect.set(HTMLIFrameElement.prototype, method, inherited);
}
