'use client';
import type { QueryClient } from '@tanstack/react-query';
import {
  createContext,
  type ReactNode,
  useContext,
  useEffect,
  useInsertionEffect,
  useMemo,
  useState,
} from 'react';
import { development } from './errors.ts';
import { type EmbedKeyOptions, getQueryClient, type KeyRequestHeaders } from './keyQuery.ts';
import { retryAll } from './keySession.ts';
import { type LabelOverrides, mergeLabels } from './labels.ts';
import type { ReportCallbacks } from './reportState.ts';
import type { ReportSlots } from './view.tsx';

/** The values that `<EmbedProvider>` passes to the reports below it. */
interface EmbedContextValue extends ReportCallbacks, ReportSlots {
  /** Options of key requests. Always with the newest callbacks. */
  readonly keys: EmbedKeyOptions;
  readonly labels?: LabelOverrides | undefined;
  readonly queryClient?: QueryClient | undefined;
}

/** Holds the defaults that apply without a provider. */
export const EmbedContext = createContext<EmbedContextValue>({ keys: {} });

type Callbacks = Pick<EmbedKeyOptions, 'fetch' | 'headers' | 'credentials'>;

const mergeKeyOptions = (
  own: Pick<EmbedKeyOptions, 'endpoint' | 'viewerKey'>,
  outer: EmbedKeyOptions,
  fixedHeaders: string | undefined,
) => {
  // The reports below read fixed headers while they render.
  const newest: Callbacks = fixedHeaders ? { headers: JSON.parse(fixedHeaders) as KeyRequestHeaders } : {};
  const options: EmbedKeyOptions = {
    ...own,
    get fetch() {
      return newest.fetch ?? outer.fetch;
    },
    get headers() {
      return newest.headers ?? outer.headers;
    },
    get credentials() {
      return newest.credentials ?? outer.credentials;
    },
  };
  return { newest, options };
};

/**
 * Merges a provider's options with those around it. New callbacks never disturb a report: the object stays the same,
 * and each request uses the newest callbacks. Other headers that are not a function are those of another viewer.
 */
const useKeyOptions = (own: EmbedKeyOptions, outer: EmbedKeyOptions): EmbedKeyOptions => {
  const { fetch, headers, credentials } = own;
  const endpoint = own.endpoint ?? outer.endpoint;
  const viewerKey = own.viewerKey === undefined ? outer.viewerKey : own.viewerKey;
  const fixedHeaders = typeof headers === 'function' ? undefined : JSON.stringify(headers);
  const { newest, options } = useMemo(
    () => mergeKeyOptions({ endpoint, viewerKey }, outer, fixedHeaders),
    [endpoint, viewerKey, fixedHeaders, outer],
  );
  useInsertionEffect(() => void Object.assign(newest, { fetch, headers, credentials }));
  const [firstHeaders] = useState(fixedHeaders);
  useEffect(() => {
    if (fixedHeaders !== firstHeaders) development.onChangedHeaders?.();
  }, [fixedHeaders, firstHeaders]);
  return options;
};

/** Props of {@link EmbedProvider}. */
export interface EmbedProviderProps extends EmbedKeyOptions, ReportCallbacks, ReportSlots {
  /**
   * The host's own React Query client, to share keys with loaders, prefetching and server rendering. A private client keeps
   * keys out of a cache that the host persists or dehydrates. Default: a private client.
   */
  readonly queryClient?: QueryClient | undefined;
  /** Label overrides. Default: the English texts. */
  readonly labels?: LabelOverrides | undefined;
  /** The part of the page with the reports. Default: nothing. */
  readonly children?: ReactNode;
}

/**
 * Sets how all reports below it request keys, what they show and which callbacks they call. Optional: without it, the
 * defaults apply. A nested provider inherits every prop that it does not set.
 *
 * @example
 * ```tsx
 * import { EmbeddedReport, EmbedProvider } from '@vitrine/react';
 *
 * export const Dashboard = () => (
 *   <EmbedProvider endpoint="/api/embed">
 *     <EmbeddedReport itemId={1042} title="Sales" />
 *     <EmbeddedReport itemId={1043} title="Stock" />
 *   </EmbedProvider>
 * );
 * ```
 */
export const EmbedProvider = (props: EmbedProviderProps): ReactNode => {
  const outer = useContext(EmbedContext);
  const { labels: ownLabels, children } = props;
  const queryClient = props.queryClient ?? outer.queryClient;
  const renderLoading = props.renderLoading ?? outer.renderLoading;
  const renderError = props.renderError ?? outer.renderError;
  const onSignIn = props.onSignIn ?? outer.onSignIn;
  const onError = props.onError ?? outer.onError;
  const onStateChange = props.onStateChange ?? outer.onStateChange;
  const keys = useKeyOptions(props, outer.keys);
  const value = useMemo(
    () => ({
      queryClient,
      keys,
      labels: mergeLabels(outer.labels ?? {}, ownLabels),
      renderLoading,
      renderError,
      onSignIn,
      onError,
      onStateChange,
    }),
    [
      queryClient,
      keys,
      outer.labels,
      ownLabels,
      renderLoading,
      renderError,
      onSignIn,
      onError,
      onStateChange,
    ],
  );
  return <EmbedContext.Provider value={value}>{children}</EmbedContext.Provider>;
};

/** Result of {@link useEmbed}. */
export interface EmbedControls {
  /** Requests every report that has failed again, with the provider's React Query client: after the viewer has signed in, for example. */
  readonly retryAll: () => void;
}

/**
 * Controls all reports that share the provider's keys: call `retryAll` after a viewer has signed in within the app.
 *
 * @example
 * ```tsx
 * import { useEmbed } from '@vitrine/react';
 *
 * export const SignInButton = ({ signIn }: { signIn: () => Promise<void> }) => {
 *   const { retryAll } = useEmbed();
 *   return <button onClick={() => void signIn().then(retryAll)}>Sign in</button>;
 * };
 * ```
 */
export const useEmbed = (): EmbedControls => {
  const { queryClient } = useContext(EmbedContext);
  return useMemo(() => ({ retryAll: () => retryAll(getQueryClient(queryClient)) }), [queryClient]);
};
