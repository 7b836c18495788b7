import type { ReportState, Selection } from './reportState.ts';

/** Where actions go. */
export interface ActionTarget {
  readonly actionsUrl: string;
  readonly key: string;
}

/**
 * Tells the portal what was picked in a visual with an Action Task. The portal looks the values up itself; the page
 * sends only which points they are. One after the other, so that a clear never overtakes its selection.
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
