'use client';
import type { ReportAction } from '@vitrine/contract';
import { useContext, useEffect, useRef, useState } from 'react';
import type { ActionStreamStatus } from './inspectors.ts';
import { EmbedContext } from './provider/embedContext.ts';
import { backoffMs, maxBackgroundDelayMs } from './session/retryDelayMs.ts';

/** Which actions to receive. An omitted field matches everything. */
export interface ActionFilter {
  /** The item ID, as in `<EmbeddedReport itemId>`. Default: any. */
  readonly itemId?: number | undefined;
  /** The GUID of the report, for backends that do not know its item ID. Default: any. */
  readonly reportId?: string | undefined;
  /** Internal visual ID of the BI platform. Default: any. */
  readonly visual?: string | undefined;
}

/** Options of {@link useReportActions}. */
export interface ReportActionsOptions {
  /** Called before `onAction` when an action says that the report's data has changed. Default: none. */
  readonly onDataChange?: (() => void) | undefined;
  /** Called when the status of the action stream changes. Default: none. */
  readonly onStatusChange?: ((status: ActionStreamStatus) => void) | undefined;
}

const isSameReport = (action: ReportAction, { itemId, reportId }: ActionFilter): boolean => {
  if (itemId === undefined && reportId === undefined) return true;
  // Webhooks identify a report by GUID, pages by number; the backend adds the number if it knows it.
  if (itemId !== undefined && (action.itemId === itemId || action.reportId === String(itemId))) return true;
  return reportId !== undefined && action.reportId.toLowerCase() === reportId.toLowerCase();
};

/** Loads the stream's code on demand. Outside the hook, because the React Compiler skips hooks that import. */
const loadStream = () => import('./actionStream.ts');

/**
 * Calls back for every click or selection in a report: `useReportActions({ itemId: 1042 }, (action) => …)`. All hooks
 * and reports of a page share one action stream, which is open while the page is visible. Without a callback, no stream
 * is opened.
 *
 * @example
 * ```tsx
 * import { useReportActions } from '@vitrine/react';
 * import { useState } from 'react';
 *
 * export const LastSelection = () => {
 *   const [count, setCount] = useState(0);
 *   useReportActions({ itemId: 1042 }, (action) => setCount(action.rows.length));
 *   return <p>{count} rows selected</p>;
 * };
 * ```
 */
export const useReportActions = (
  filter: ActionFilter,
  onAction: ((action: ReportAction) => void) | undefined,
  { onDataChange, onStatusChange }: ReportActionsOptions = {},
): void => {
  const { keys } = useContext(EmbedContext);
  const subscription = { filter, onAction, onDataChange, onStatusChange };
  const newest = useRef(subscription);
  useEffect(() => {
    newest.current = subscription;
  });
  const isListening = !!onAction;
  const [attempt, setAttempt] = useState(1);
  useEffect(() => {
    if (!isListening) return undefined;
    const listening = loadStream().then(
      ({ listenToActions }) =>
        listenToActions(keys, {
          onAction: (action) => {
            const { filter: wanted, onAction: notify, onDataChange: reload } = newest.current;
            if (wanted.visual !== undefined && wanted.visual !== action.visual) return;
            if (!isSameReport(action, wanted)) return;
            if (action.refresh) reload?.();
            // A page shows the last click.
            if (!action.isSuperseded) notify?.(action);
          },
          onStatus: (status) => newest.current.onStatusChange?.(status),
        }),
      () => {
        const pauseMs = backoffMs(attempt, maxBackgroundDelayMs, Math.random());
        const timer = setTimeout(() => setAttempt(attempt + 1), pauseMs);
        return () => clearTimeout(timer);
      },
    );
    return () => void listening.then((stop) => stop());
  }, [isListening, keys, attempt]);
};
