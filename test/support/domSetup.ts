import '@testing-library/jest-dom/vitest';
import { cleanup } from '@testing-library/react';
import { afterEach } from 'vitest';

afterEach(cleanup);

// happy-dom reports an error for every frame it is not allowed to load. Here frames load when a test says so.
for (const method of Object.getOwnPropertySymbols(HTMLIFrameElement.prototype)) {
  const inherited: unknown = Reflect.get(HTMLElement.prototype, method);
  if (['connectedToDocument', 'onSetAttribute'].includes(method.description ?? ''))
    Reflect.set(HTMLIFrameElement.prototype, method, inherited);
}
