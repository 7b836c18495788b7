'use client';
import { useContext, useEffect, useState, useSyncExternalStore } from 'react';
import type { ReportSnapshot } from './frames/reportState.ts';
import { createReportView, type ReportView } from './frames/reportView.ts';
import type { ReportViewOptions } from './frames/viewOptions.ts';
import { clientOf } from './keys/clientOf.ts';
import { embedKeyOptions } from './keys/embedKeyOptions.ts';
import { keeperOf } from './keys/keeperOf.ts';
import { EmbedContext } from './provider/embedContext.ts';

/** Options of {@link useEmbeddedReport}. */
export interface EmbeddedReportOptions extends ReportViewOptions {
  /** Keeps the key out of the document and of Resource Timing, for pages with session replay. Default false. A change starts anew. */
  readonly concealKey?: boolean | undefined;
  /** Asks for nothing until the report is near the viewport. Default false. A change starts anew. */
  readonly lazy?: boolean | undefined;
}

/** What {@link useEmbeddedReport} gives: what to show, and the ways to renew it. */
export interface EmbeddedReportResult
  extends ReportSnapshot,
    Pick<ReportView, 'root' | 'refresh' | 'reload'> {}

/** The whole of `<EmbeddedReport>` without its looks: state, frames and their renewal. */
export const useEmbeddedReport = (
  itemId: number,
  options: EmbeddedReportOptions = {},
): EmbeddedReportResult => {
  const { concealKey = false, lazy = false } = options;
  const { keys, queryClient } = useContext(EmbedContext);
  const inputs = [itemId, keys, queryClient, concealKey, lazy];
  const create = () => {
    const query = embedKeyOptions(itemId, keys);
    const keeper = keeperOf(clientOf(queryClient), query, keys.environment);
    return [createReportView(keeper, query, { concealKey, lazy }), inputs] as const;
  };
  // A memo would do, if Fast Refresh did not throw memos away: a host that edits its component would see the report load anew.
  const [[view, known], setView] = useState(create);
  if (!inputs.every((input, index) => Object.is(input, known[index]))) setView(create);
  // Declared before the subscription, whose effect already acts on the options.
  useEffect(() => view.configure(options));
  const [subscribe, snapshot, serverSnapshot] = view.store;
  return { ...view, ...useSyncExternalStore(subscribe, snapshot, serverSnapshot) };
};
