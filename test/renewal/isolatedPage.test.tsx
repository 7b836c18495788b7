import { act, render } from '@testing-library/react';
import { EmbeddedReport, EmbedProvider } from '@vitrine/react';
import { expect, it, onTestFinished } from 'vitest';
import { createTestPage, frames, root, settle } from '../support/domReport.tsx';

it('loads credentialless frames on a cross-origin isolated page without a React warning', async () => {
  // As in Chromium.
  Object.defineProperty(HTMLIFrameElement.prototype, 'credentialless', { configurable: true, value: false });
  onTestFinished(() => void Reflect.deleteProperty(HTMLIFrameElement.prototype, 'credentialless'));
  const { environment, provider } = createTestPage();
  environment.isolate();
  render(
    <EmbedProvider {...provider}>
      <EmbeddedReport itemId={1042} />
    </EmbedProvider>,
  );
  await settle();
  expect(frames().map((frame) => frame.hasAttribute('credentialless'))).toEqual([true]);
});

it('is slow when its frame does not load in a browser without credentialless frames', async () => {
  const { environment, provider } = createTestPage();
  environment.isolate();
  render(
    <EmbedProvider {...provider}>
      <EmbeddedReport itemId={1042} loadTimeoutMs={5_000} />
    </EmbedProvider>,
  );
  await settle();
  await act(() => environment.advance(5_100));
  expect(frames()[0]?.hasAttribute('credentialless')).toBe(false);
  expect(root()).toHaveAttribute('data-code', 'frame_slow');
});
