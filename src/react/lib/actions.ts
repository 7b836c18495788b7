'use client';
import type { ReportAction } from '@vitrine/contract';
import { useContext, useEffect, useRef, useState } from 'react';
import type { ActionFilter, ActionSubscription, ReportActionsOptions } from './actionSubscription.ts';
import { backoffMs, maxBackgroundDelayMs } from './backoff.ts';
import { EmbedContext } from './EmbedProvider.tsx';

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
  const isListening = !!onAction && keys.viewerKey !== null;
  const newest = useRef({ subscription, isListening });
  useEffect(() => {
    newest.current = { subscription, isListening };
  });
  const [attempt, setAttempt] = useState(1);
  useEffect(() => {
    if (!isListening) return undefined;
    let isOver = false;
    const listening = loadStream().then(
      // The viewer may have left while the code was loading.
      ({ listenToActions }) => (isOver ? () => {} : listenToActions(keys, () => newest.current.subscription)),
      () => {
        const pauseMs = backoffMs(attempt, maxBackgroundDelayMs, Math.random());
        const timer = setTimeout(() => setAttempt(attempt + 1), pauseMs);
        return () => clearTimeout(timer);
      },
    );
    return () => {
      isOver = true;
      void listening.then((stop) => {
        stop();
        // Nobody is signed in, or nobody wants to know. Whoever has unmounted does not either.
        if (!newest.current.isListening) newest.current.subscription.onStatusChange?.('closed');
      });
    };
  }, [isListening, keys, attempt]);
};
