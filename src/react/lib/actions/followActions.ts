import type { ReportAction } from '@vitrine/contract';
import type { EmbedKeyOptions } from '../keys/embedKeyOptions.ts';
import { actionHubOf } from './actionHub.ts';
import { type ActionFilter, matchAction } from './matchAction.ts';

/** Which actions somebody wants, and what to do then. */
export interface ActionWish {
  readonly filter: ActionFilter;
  readonly onAction: ((action: ReportAction) => void) | undefined;
  /** Called first when an action says that the data has changed. */
  readonly onRefresh: (() => void) | undefined;
}

/** Listens to the page's one stream; returns its own undo. The wish may change at any time. */
export const followActions = (
  keys: EmbedKeyOptions,
  newest: { readonly current: ActionWish },
): (() => void) =>
  actionHubOf(keys).listen(keys, (action) => {
    const { filter, onAction, onRefresh } = newest.current;
    if (!matchAction(action, filter)) return;
    if (action.refresh) onRefresh?.();
    onAction?.(action);
  });
