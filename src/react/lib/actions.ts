'use client';
import type { ReportAction } from '@vitrine/contract';
import { useContext, useEffect, useRef, useState } from 'react';
import { EmbedContext } from './EmbedProvider.tsx';
import { backoffMs, maxBackgroundDelayMs } from './planRenewal.ts';

/**
 * The status of the action stream. `closed`: no listeners, or the page is hidden. `connecting`: no response yet. `open`:
 * actions arrive. `buffered`: nothing arrives, because a proxy collects the response. `retrying`: the connection was
 * lost. `refused`: the backend refuses the stream, or something else responds in its place; check `EmbedProvider`, the
 * proxy and the backend's option `actions`.
 */
export type ActionStreamStatus = 'closed' | 'connecting' | 'open' | 'buffered' | 'retrying' | 'refused';

/** The status of each action stream, by endpoint. */
export const streamStatuses = new Map<string, ActionStreamStatus>();

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

/** What a listener wants to hear, and whom to call. */
export interface ActionSubscription extends ReportActionsOptions {
  readonly filter: ActionFilter;
  readonly onAction: ((action: ReportAction) => void) | undefined;
}

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
  const subscription: ActionSubscription = { filter, onAction, onDataChange, onStatusChange };
  const newest = useRef(subscription);
  useEffect(() => {
    newest.current = subscription;
  });
  const isListening = !!onAction && keys.viewerKey !== null;
  const [attempt, setAttempt] = useState(1);
  useEffect(() => {
    if (!isListening) return undefined;
    let isOver = false;
    const listening = loadStream().then(
      // The viewer may have left while the code was loading.
      ({ listenToActions }) => (isOver ? () => {} : listenToActions(keys, () => newest.current)),
      () => {
        const pauseMs = backoffMs(attempt, maxBackgroundDelayMs, Math.random());
        const timer = setTimeout(() => setAttempt(attempt + 1), pauseMs);
        return () => clearTimeout(timer);
      },
    );
    return () => {
      isOver = true;
      void listening.then((stop) => stop());
    };
  }, [isListening, keys, attempt]);
};
