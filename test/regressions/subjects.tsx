import { QueryClient } from '@tanstack/react-query';
import { act, fireEvent, render } from '@testing-library/react';
import { EmbeddedReport, EmbedProvider, usePrefetchReport } from '@vitrine/react';
import { type ComponentType, type ReactNode, StrictMode, useImperativeHandle } from 'react';
import { settle } from '../support/domReport.tsx';
import { createVirtualBackend } from '../support/virtualBackend.ts';
import { createVirtualEnvironment } from '../support/virtualEnvironment.ts';
import { HandMadeReport, type SubjectProps } from './handMadeReport.tsx';

/** What a check says about a report; the scene adds the rest. */
type ReportProps = Omit<SubjectProps, 'provider' | 'queryClient'>;

/** What a check may do: everything a host, a viewer, a network and a clock can. */
export type Scene = ReturnType<typeof createScene>;

/** A check returns facts, so that the same expectation applies to the component and to the control. */
export type Check<TFacts> = (scene: Scene) => Promise<TFacts>;

const hour = 60 * 60_000;
let count = 0;

const Prefetch = ({ handle }: { readonly handle: SubjectProps['prefetch'] }): ReactNode => {
  const prefetch = usePrefetchReport();
  useImperativeHandle(handle, () => prefetch, [prefetch]);
  return null;
};

const ShippedReport = ({
  provider,
  queryClient,
  handle,
  prefetch,
  itemId = 1042,
  ...rest
}: SubjectProps): ReactNode => (
  <EmbedProvider {...provider} queryClient={queryClient}>
    <Prefetch handle={prefetch} />
    <EmbeddedReport itemId={itemId} title="Sales" ref={handle ?? null} {...rest} />
  </EmbedProvider>
);

const createScene = (Subject: ComponentType<SubjectProps>) => {
  const backend = createVirtualBackend();
  const environment = createVirtualEnvironment();
  /** When the request for each key was sent; keys are numbered in this order. */
  const sentAt: number[] = [];
  const provider = {
    headers: undefined as SubjectProps['provider']['headers'], // a check may set it
    endpoint: `/api/checked-${(count += 1)}`,
    fetch: async (...call: Parameters<typeof fetch>) => {
      const now = environment.trueNow;
      const response = await backend.fetch(...call);
      if (response?.ok) sentAt.push(now);
      return response;
    },
  };
  const queryClient = new QueryClient();
  const loaded = new Set<HTMLIFrameElement>();
  let shown: ReturnType<typeof render> | undefined;
  const frames = () => [...(shown?.container.querySelectorAll('iframe') ?? [])];

  /** Every frame loads once, as soon as it exists. */
  const load = () =>
    act(async () => {
      for (const frame of frames()) if (!loaded.has(frame)) fireEvent.load(frame);
      for (const frame of frames()) loaded.add(frame);
    });
  const leave = async () => {
    shown?.unmount();
    shown = undefined;
    await settle();
  };
  const report = (props: ReportProps = {}, key = '') => (
    <Subject key={key} provider={provider} queryClient={queryClient} {...props} />
  );
  /** Shows a page, or rerenders it. */
  const draw = async (page: ReactNode) => {
    if (shown) shown.rerender(page);
    else shown = render(page);
    await settle();
    await load();
  };
  return {
    backend,
    environment,
    provider,
    queryClient,
    frames,
    load,
    leave,
    report,
    draw,
    /** Shows the report, or rerenders its host with other props. */
    show: (props?: ReportProps) => draw(<StrictMode>{report(props)}</StrictMode>),
    /** Lets time pass in steps of ten seconds. */
    pass: async (ms: number) => {
      for (let left = ms; left > 0; left -= 10_000) {
        await act(() => environment.advance(Math.min(left, 10_000)));
        await load();
      }
    },
    /** Whether a visible key still opens the report. */
    isGood: () => {
      const frame = frames().find(({ style }) => style.visibility !== 'hidden');
      const [, number = ''] = /ev=key%2B(\d+)/.exec(frame?.src ?? '') ?? [];
      const issuedAt = sentAt[Number(number) - 1];
      return issuedAt !== undefined && environment.trueNow < issuedAt + hour;
    },
  };
};

const play = async <TFacts,>(Subject: ComponentType<SubjectProps>, check: Check<TFacts>): Promise<TFacts> => {
  const scene = createScene(Subject);
  try {
    return await check(scene);
  } finally {
    await scene.leave();
  }
};

/** Runs a check with the component as it is shipped, and with a control. */
export const compare = async <TFacts,>(
  check: Check<TFacts>,
  Control: ComponentType<SubjectProps> = HandMadeReport,
): Promise<{ ours: TFacts; control: TFacts }> => ({
  ours: await play(ShippedReport, check),
  control: await play(Control, check),
});
