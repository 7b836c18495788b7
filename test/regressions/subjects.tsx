import { QueryClient, useQuery } from '@tanstack/react-query';
import { act, fireEvent, render } from '@testing-library/react';
import type { EmbedKey } from '@vitrine/contract';
import {
  EmbeddedReport,
  type EmbeddedReportHandle,
  EmbedProvider,
  embedKeyOptions,
  type RefreshPolicy,
} from '@vitrine/react';
import {
  type ComponentType,
  type ReactNode,
  type Ref,
  StrictMode,
  useEffect,
  useImperativeHandle,
  useRef,
  useState,
} from 'react';
import { createTestPage, frames, PrefetchLink, settle } from '../support/domReport.tsx';

/** What the tests of this folder pass to a report, ours or a control. */
export interface SubjectProps {
  readonly provider: {
    readonly endpoint: string;
    readonly fetch: typeof fetch;
    readonly headers?: (() => Promise<Record<string, string>>) | undefined;
  };
  readonly queryClient: QueryClient;
  readonly itemId?: number;
  readonly refreshPolicy?: RefreshPolicy;
  readonly lazy?: boolean;
  readonly handle?: Ref<EmbeddedReportHandle>;
  /** Receives the prefetch function. */
  readonly prefetch?: Ref<(itemId: number) => Promise<void>>;
  readonly onLoad?: (() => void) | undefined;
  readonly onError?: ((error: unknown) => void) | undefined;
}

/**
 * The control: a hand-written report with nothing but "fetch a key, set a timer, set `src`". Each line of it has been a
 * bug in some project; the tests of this folder must detect it.
 */
export const HandMadeReport = (props: SubjectProps): ReactNode => {
  const { provider, handle, itemId = 1042, onLoad, onError } = props;
  const [key, setKey] = useState<EmbedKey>();

  const ask = async (): Promise<void> => {
    try {
      const response = await provider.fetch(`${provider.endpoint}/keys`, {
        method: 'POST',
        headers: { 'content-type': 'application/json', 'x-vitrine-request': '1' },
        body: JSON.stringify({ itemId }),
      });
      if (!response.ok) throw new Error(`The endpoint answered ${response.status}.`);
      // The backend of the tests returns nothing else.
      const next = (await response.json()) as EmbedKey;
      setKey(next);
      setTimeout(askQuietly, next.lifetimeMs);
    } catch (error) {
      onError?.(error);
    }
  };

  /** Errors are silent. */
  const askQuietly = () => ask().catch(() => {});

  useImperativeHandle(handle, () => ({
    refresh: askQuietly,
    retry: askQuietly,
    reload: askQuietly,
    requestFullscreen: async () => undefined,
    element: null,
  }));
  useEffect(() => {
    void askQuietly();
    addEventListener('beforeunload', () => setKey(undefined));
    // oxlint-disable-next-line react-hooks/exhaustive-deps -- one of the faults
  }, [itemId, onLoad]);

  if (!key) return null;
  const src = `${key.tenantUrl}/report/${itemId}?ev=${encodeURIComponent(key.key)}`;
  return <iframe title="Sales" src={src} onLoad={onLoad} />;
};

/**
 * When a hand-written report schedules its renewal. Each variant has been shipped, and each omits or repeats it in some
 * order.
 */
export type Habit = 'at mount' | 'with the response' | 'per report';

/** The control: a hand-written report on top of a cache, which always follows the cache. */
export const createQueryReport = (habit: Habit) =>
  function QueryReport({ provider, queryClient, itemId = 1042, refreshPolicy }: SubjectProps): ReactNode {
    const timer = useRef<ReturnType<typeof setTimeout>>(undefined);
    const disarm = () => clearTimeout(timer.current);
    const arm = ({ lifetimeMs }: EmbedKey) => {
      if (refreshPolicy !== 'off') timer.current = setTimeout(() => void refetch(), lifetimeMs * 0.8);
    };

    const query = embedKeyOptions(itemId, provider);
    const ask = async (...context: Parameters<Exclude<typeof query.queryFn, undefined>>) => {
      const key = await query.queryFn?.(...context);
      if (key === undefined) throw new Error('There is no key.');
      if (habit === 'with the response') {
        disarm();
        arm(key);
      }
      return key;
    };
    const { data: key, refetch } = useQuery({ ...query, queryFn: ask }, queryClient);

    useEffect(() => {
      if (habit === 'at mount' && key) arm(key);
      return disarm;
      // oxlint-disable-next-line react-hooks/exhaustive-deps -- one of the faults
    }, []);
    useEffect(() => {
      if (habit === 'per report' && key) arm(key);
      // oxlint-disable-next-line react-hooks/exhaustive-deps -- as above
    }, [key]);

    if (!key) return null;
    return (
      <iframe title="Sales" src={`${key.tenantUrl}/report/${itemId}?ev=${encodeURIComponent(key.key)}`} />
    );
  };

/** What a check says about a report; the scene adds the rest. */
type ReportProps = Omit<SubjectProps, 'provider' | 'queryClient'>;

/** What a check may do: everything a host, a viewer, a network and a clock can. */
export type Scene = ReturnType<typeof createScene>;

/** A check returns facts, so that the same expectation applies to the component and to the control. */
export type Check<TFacts> = (scene: Scene) => Promise<TFacts>;

const hour = 60 * 60_000;

const ShippedReport = ({
  provider,
  queryClient,
  handle,
  prefetch,
  itemId = 1042,
  ...rest
}: SubjectProps): ReactNode => (
  <EmbedProvider {...provider} queryClient={queryClient}>
    {prefetch && <PrefetchLink handle={prefetch} />}
    <EmbeddedReport itemId={itemId} title="Sales" ref={handle ?? null} {...rest} />
  </EmbedProvider>
);

const createScene = (Subject: ComponentType<SubjectProps>) => {
  const { backend, environment, provider: page } = createTestPage();
  /** When the request for each key was sent; keys are numbered in this order. */
  const sentAt: number[] = [];
  const provider = {
    headers: undefined as SubjectProps['provider']['headers'], // a check may set it
    endpoint: page.endpoint,
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
