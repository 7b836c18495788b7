import type { ReportState, Selection } from './reportState.ts';

/** Target of actions. */
export interface ActionTarget {
  readonly actionsUrl: string;
  readonly key: string;
}

/**
 * Sends a selection in a visual with an Action Task to the portal. The page only sends the points; the portal looks up
 * their values. Sends in order, so that a clear never overtakes its selection.
 */
export const sendActions = (state: ReportState, target: ActionTarget): void => {
  const bound = new Set(state.model.boundVisuals);
  let last = Promise.resolve();
  const post = async (visual: string, selection: Selection | undefined) => {
    await fetch(target.actionsUrl, {
      method: 'POST',
      headers: { authorization: `ReportKey ${target.key}`, 'content-type': 'application/json' },
      body: JSON.stringify({
        visual,
        columns: selection?.columns ?? [],
        points: selection?.points ?? [],
        filters: state.filters(),
      }),
    }).catch(() => undefined);
  };
  state.onSelection((visual, selection) => {
    if (bound.has(visual)) last = last.then(() => post(visual, selection));
  });
};
