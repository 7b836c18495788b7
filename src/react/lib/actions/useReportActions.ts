'use client';
import type { ReportAction } from '@vitrine/contract';
import { useContext, useEffect, useRef, useState } from 'react';
import { EmbedContext } from '../provider/embedContext.ts';
import { backoffMs, maxBackgroundDelayMs } from '../session/retryDelayMs.ts';
import type { ActionStreamStatus } from './actionStreamStatus.ts';
import type { ActionFilter } from './matchAction.ts';

/** Options of {@link useReportActions}. */
export interface ReportActionsOptions {
  /** Called before `onAction` when an action says that the report's data has changed. Default: none. */
  readonly onDataChange?: (() => void) | undefined;
  /** Called when the status of the action stream changes. Default: none. */
  readonly onStatusChange?: ((status: ActionStreamStatus) => void) | undefined;
}

/** Loads the stream's code on demand. Outside the hook, because the React Compiler skips hooks that import. */
const loadStream = () => import('./followActions.ts');

/**
 * Calls back for every click or selection in a report: `useReportActions({ itemId: 1042 }, (action) => …)`. All hooks
 * and reports of a page share one action stream, and so do tabs if the browser supports it. Without a callback, no
 * stream is opened.
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
  const subscription = { filter, onAction, onDataChange, onStatus: onStatusChange };
  const newest = useRef(subscription);
  useEffect(() => {
    newest.current = subscription;
  });
  const isListening = !!onAction;
  const [attempt, setAttempt] = useState(1);
  useEffect(() => {
    if (!isListening) return undefined;
    const following = loadStream().then(
      ({ followActions }) => followActions(keys, newest),
      () => {
        const { environment = globalThis } = keys;
        const pauseMs = backoffMs(attempt, maxBackgroundDelayMs, environment.Math.random());
        const timer = environment.setTimeout(() => setAttempt(attempt + 1), pauseMs);
        // `clearTimeout` accepts the value that `setTimeout` returned.
        return () => environment.clearTimeout(timer as never);
      },
    );
    return () => void following.then((stop) => stop());
  }, [isListening, keys, attempt]);
};
