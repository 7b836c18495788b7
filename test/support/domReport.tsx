import { act, fireEvent } from '@testing-library/react';
import { EmbeddedReport, type EmbeddedReportProps, EmbedProvider, usePrefetchReport } from '@vitrine/react';
import { type ReactNode, type Ref, StrictMode, useImperativeHandle } from 'react';
import { createVirtualBackend } from './virtualBackend.ts';
import { createVirtualEnvironment } from './virtualEnvironment.ts';

let count = 0;

/** A page with its own backend, browser and endpoint. */
export const createTestPage = () => {
  const backend = createVirtualBackend();
  const environment = createVirtualEnvironment();
  const endpoint = `/api/embed-${++count}`;
  const provider = { endpoint, fetch: backend.fetch };
  const page = (children: ReactNode) => (
    <StrictMode>
      <EmbedProvider {...provider}>{children}</EmbedProvider>
    </StrictMode>
  );
  return {
    backend,
    environment,
    provider,
    page,
    report: (props: Partial<EmbeddedReportProps> = {}) =>
      page(<EmbeddedReport itemId={1042} title="Sales" {...props} />),
  };
};

/** A link that prefetches keys when a test calls it. */
export const PrefetchLink = ({
  handle,
}: {
  readonly handle: Ref<(itemId: number) => Promise<void>>;
}): ReactNode => {
  const prefetch = usePrefetchReport();
  useImperativeHandle(handle, () => prefetch, [prefetch]);
  return null;
};

/** Lets everything happen that needs no time. */
export const settle = () =>
  act(async () => {
    for (let turn = 0; turn < 4; turn += 1) await new Promise((resolve) => setImmediate(resolve));
  });

/** The reports' frames in the document. */
export const frames = () => [...document.querySelectorAll('iframe')];

/** The root element of the first report. */
export const root = () => document.querySelector('[data-state]');

/** The state of the first report. */
export const state = () => root()?.getAttribute('data-state');

/** Fires the load event of a frame; by default the newest. */
export const load = (frame = frames().at(-1)) =>
  act(async () => {
    if (frame) fireEvent.load(frame);
  });
