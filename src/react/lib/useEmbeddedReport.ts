'use client';
import {
  useContext,
  useEffect,
  useInsertionEffect,
  useLayoutEffect,
  useReducer,
  useRef,
  useState,
  useSyncExternalStore,
} from 'react';
import { EmbedContext } from './EmbedProvider.tsx';
import { development } from './errors.ts';
import type { ReportControls } from './page.ts';
import { createReport, notifyHost } from './report.ts';
import type { ReportOptions, ReportSnapshot } from './reportState.ts';

/** Options of {@link useEmbeddedReport}. */
export interface EmbeddedReportOptions extends ReportOptions {
  /** Whether to load the report. While false, the report is `idle` and has no frame. Default true. */
  readonly enabled?: boolean | undefined;
  /** Keeps the key out of the document and of Resource Timing, for pages with session replay. Changing it reloads the report. Default false. */
  readonly concealKey?: boolean | undefined;
  /** Delays the key request until the report is near the viewport. Changing it reloads the report. Default false. */
  readonly lazy?: boolean | undefined;
}

/** Result of {@link useEmbeddedReport}: what to render, and functions to renew it. */
export interface EmbeddedReportResult extends ReportSnapshot, ReportControls {}

/** React 18 warns about layout effects on a server. */
const useBrowserLayoutEffect = typeof document === 'undefined' ? useEffect : useLayoutEffect;

/**
 * The behavior of `<EmbeddedReport>` without its markup: state, frames and their renewal. Attach `root` to the element
 * around the frames, and render each frame in an element of its own.
 *
 * @example
 * ```tsx
 * import { useEmbeddedReport } from '@vitrine/react';
 *
 * const visible = { display: 'contents' } as const;
 * const hidden = { position: 'fixed', top: 0, left: 0, visibility: 'hidden' } as const;
 *
 * export const PlainReport = () => {
 *   const { root, frames, state } = useEmbeddedReport(1042);
 *   return (
 *     <div ref={root} aria-busy={state.status === 'loading'}>
 *       {frames.map(({ id, props, isVisible }) => (
 *         <div key={id} style={isVisible ? visible : hidden}>
 *           <iframe {...props} title="Sales" width={800} height={600} />
 *         </div>
 *       ))}
 *     </div>
 *   );
 * };
 * ```
 */
export const useEmbeddedReport = (
  itemId: number,
  options: EmbeddedReportOptions = {},
): EmbeddedReportResult => {
  const { concealKey = false, lazy = false } = options;
  const { keys, queryClient, onError, onStateChange } = useContext(EmbedContext);
  const enabled = (options.enabled ?? true) && keys.viewerKey !== null;
  const [, redraw] = useReducer((count: number) => count + 1, 0);
  const setup = { itemId, keys, queryClient, isEnabled: enabled, isConcealed: concealKey, isLazy: lazy };
  // Not a memo: Fast Refresh discards memos, so every edit of the host's component would reload the report.
  const [report, setReport] = useState(() => createReport(setup));
  const known = Object.values(report.setup);
  if (!Object.values(setup).every((value, index) => Object.is(value, known[index])))
    setReport(createReport(setup));
  useBrowserLayoutEffect(() => report.commit(options, redraw));
  // Unlike the other effects, it stays while `<Activity>` hides the report.
  useInsertionEffect(() => {
    if (!enabled) return undefined;
    const onStore = ({ persisted }: PageTransitionEvent) => persisted && report.forget();
    addEventListener('pagehide', onStore);
    return () => removeEventListener('pagehide', onStore);
  }, [report, enabled]);
  const snapshot = useSyncExternalStore(report.subscribe, report.getSnapshot, report.getServerSnapshot);
  const { state } = snapshot;
  const notified = useRef(state);
  useEffect(() => {
    const { status, error } = notified.current;
    notified.current = state;
    if (state.status === status && state.error?.code === error?.code) return;
    for (const callback of [options.onStateChange, onStateChange]) notifyHost(callback, state, { itemId });
    if (!state.error) return;
    development.onReportError?.(itemId, state.error, state.status === 'degraded');
    for (const callback of [options.onError, onError]) notifyHost(callback, state.error, { itemId });
  });
  return { ...snapshot, ...report.controls };
};
