'use client';
import type { ReportAction } from '@vitrine/contract';
import { useContext, useEffect, useInsertionEffect, useRef } from 'react';
import { EmbedContext } from '../provider/embedContext.ts';
import type { ActionFilter } from './matchAction.ts';

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
  const newest = useRef({ filter, onAction, onRefresh });
  useInsertionEffect(() => {
    newest.current = { filter, onAction, onRefresh };
  });
  const isWanted = onAction !== undefined;
  useEffect(() => {
    if (!isWanted) return undefined;
    let stop: (() => void) | undefined;
    let hasLeft = false;
    const listen = async (): Promise<void> => {
      // Pages whose reports nobody listens to do not load the stream's code.
      const { actionHubOf, matchAction } = await import('./actionHub.ts');
      if (hasLeft) return;
      stop = actionHubOf(keys).listen(keys, (action) => {
        const { current } = newest;
        if (!matchAction(action, current.filter)) return;
        if (action.refresh) current.onRefresh?.();
        current.onAction?.(action);
      });
    };
    void listen();
    return () => {
      hasLeft = true;
      stop?.();
    };
  }, [isWanted, keys]);
};
