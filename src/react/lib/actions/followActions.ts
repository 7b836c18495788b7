import type { ReportAction } from '@vitrine/contract';
import type { EmbedKeyOptions } from '../keys/embedKeyOptions.ts';
import type { ActionStreamStatus } from './actionStreamStatus.ts';
import { getActionHub } from './getActionHub.ts';
import { type ActionFilter, matchAction } from './matchAction.ts';

/** A filter for actions, and the callbacks for them. */
export interface ActionSubscription {
  readonly filter: ActionFilter;
  readonly onAction: ((action: ReportAction) => void) | undefined;
  /** Called first when an action says that the data has changed. */
  readonly onDataChange: (() => void) | undefined;
  readonly onStatus: ((status: ActionStreamStatus) => void) | undefined;
}

/** Subscribes to the page's action stream; returns an unsubscribe function. The subscription may change at any time. */
export const followActions = (
  keys: EmbedKeyOptions,
  newest: { readonly current: ActionSubscription },
): (() => void) =>
  getActionHub(keys).listen(keys, {
    onAction: (action) => {
      const { filter, onAction, onDataChange } = newest.current;
      if (!matchAction(action, filter)) return;
      if (action.refresh) onDataChange?.();
      // A page shows the last click.
      if (!action.isSuperseded) onAction?.(action);
    },
    onStatus: (status) => newest.current.onStatus?.(status),
  });
