'use client';
import type { ReportAction } from '@vitrine/contract';
import { useContext, useEffect, useRef, useState } from 'react';
import { calmPauseMs, retryDelayMs } from '../life/retryDelay.ts';
import { EmbedContext } from '../provider/embedContext.ts';
import type { ActionFilter } from './matchAction.ts';

/** Pages whose reports nobody listens to do not load the stream's code. Out here, for the React Compiler skips hooks that import. */
const loadStream = () => import('./followActions.ts');

/**
 * Calls back for every click or selection in a report: `useReportActions({ itemId: 1042 }, (action) => …)`.
 * All hooks and reports of a page share one stream from the backend's action stream, and tabs share it where the browser
 * allows. Without a callback nothing is opened. `onRefresh` is called first when an action says that the data has changed.
 */
export const useReportActions = (
  filter: ActionFilter,
  onAction: ((action: ReportAction) => void) | undefined,
  onRefresh?: () => void,
): void => {
  const { keys } = useContext(EmbedContext);
  const wish = { filter, onAction, onRefresh };
  const newest = useRef(wish);
  useEffect(() => {
    newest.current = wish;
  });
  const isWanted = !!onAction;
  const [attempt, setAttempt] = useState(1);
  useEffect(() => {
    if (!isWanted) return undefined;
    const following = loadStream().then(
      ({ followActions }) => followActions(keys, newest),
      () => {
        const { environment = globalThis } = keys;
        const pauseMs = retryDelayMs(attempt, calmPauseMs, environment.Math.random());
        const timer = environment.setTimeout(() => setAttempt(attempt + 1), pauseMs);
        // It is what `setTimeout` gave.
        return () => environment.clearTimeout(timer as never);
      },
    );
    return () => void following.then((stop) => stop());
  }, [isWanted, keys, attempt]);
};
