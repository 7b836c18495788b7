'use client';
import type { QueryClient } from '@tanstack/react-query';
import { createContext, type ReactNode, useContext, useInsertionEffect, useMemo } from 'react';
import type { EmbedKeyOptions } from './keyOptions.ts';
import { retryAll } from './keySession.ts';
import { type LabelOverrides, mergeDefined } from './labels.ts';
import { getQueryClient } from './page.ts';
import type { ReportCallbacks } from './reportState.ts';
import type { ReportSlots } from './view.tsx';

/** The values that `<EmbedProvider>` passes to the reports below it. */
interface EmbedContextValue extends EmbedKeyOptions, ReportCallbacks, ReportSlots {
  /** Options of key requests: the same object for the same viewer, always with the newest callbacks. */
  readonly keys: EmbedKeyOptions;
  readonly labels?: LabelOverrides | undefined;
  readonly queryClient?: QueryClient | undefined;
}

/** Holds the defaults that apply without a provider. */
export const EmbedContext = createContext<EmbedContextValue>({ keys: {} });

/** New callbacks never disturb a report: the object stays the same, and each request uses the newest callbacks. */
const useKeyOptions = ({
  endpoint,
  viewerKey,
  fetch,
  headers,
  credentials,
}: EmbedKeyOptions): EmbedKeyOptions => {
  const keys = useMemo(() => ({ endpoint, viewerKey }), [endpoint, viewerKey]);
  useInsertionEffect(() => void Object.assign(keys, { fetch, headers, credentials }));
  return keys;
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
export const EmbedProvider = ({ children, ...own }: EmbedProviderProps): ReactNode => {
  const outer = useContext(EmbedContext);
  const { onSignIn: signIn } = own;
  const queryClient = own.queryClient ?? outer.queryClient;
  // After the report that asked, which keeps the focus.
  const retryLater = () => void setTimeout(() => retryAll(getQueryClient(queryClient)));
  const onSignIn = signIn && (() => signIn()?.then(retryLater));
  const merged = mergeDefined(outer, own, { onSignIn });
  const labels = mergeDefined(outer.labels ?? {}, own.labels);
  const keys = useKeyOptions(merged);
  return <EmbedContext.Provider value={{ ...merged, labels, keys }}>{children}</EmbedContext.Provider>;
};

/** Result of {@link useEmbed}. */
export interface EmbedControls {
  /** Requests every report and every list of `@vitrine/react/picker` that has failed again, with the provider's React Query client: after the viewer has signed in, for example. */
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
