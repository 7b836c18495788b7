import { type EmbedItem, isItemId } from '@vitrine/contract';
import { serviceRoutes } from '@vitrine/contract/service';
import { type Item, isPortalError } from '@vitrine/portal-client';
import { callHost, inTime } from './hostCalls.ts';
import type { VitrineOptions } from './options.ts';
import type { PortalCalls } from './portalCalls.ts';
import { KeyRequestError } from './problems.ts';
import { checkUnchanged, type KnownViewer, type Viewer } from './viewer.ts';

const maxChecks = 500;
const checksAtOnce = 16;
const checksTimeoutMs = 2000;
const shownTypes = /^(report|dashboard|app)$/i;

const tooMany = (seen: string): KeyRequestError => {
  const detail = `${seen} Pass items: (viewer) => itemIds, which returns the few that the viewer may open.`;
  return new KeyRequestError(
    { code: 'internal_error', detail },
    { origin: 'rules', problem: detail, hint: 'See the option items.', severity: 'error' },
  );
};

const listed = ({ id, type, displayName }: Item): EmbedItem | undefined =>
  isItemId(id) && shownTypes.test(type) ? { itemId: id, name: displayName, type } : undefined;

/** Says what listing items needs: the advice of the client is about keys. */
const explainError = (error: unknown): never => {
  if (!isPortalError(error) || !/^(?:forbidden|not_found|invalid_response|paging)$/.test(error.kind))
    throw error;
  const isForbidden = error.kind === 'forbidden';
  const hint = isForbidden
    ? `The option items needs an API key that may read items: give it the permission ${serviceRoutes.listItems.permission}.`
    : 'Check that the portal lists its items at apiBaseUrl, or at baseUrl if it is set.';
  throw new KeyRequestError(
    isForbidden ? { code: 'portal_refused', detail: hint } : { code: 'portal_invalid_response' },
    { origin: 'portal', problem: error.message, hint, stats: error.stats },
    error,
  );
};

const readIds = (ids: readonly number[]): readonly number[] => {
  if (Array.isArray(ids) && ids.every(isItemId)) return ids;
  throw new TypeError('It did not return a list of item IDs, which are positive whole numbers.');
};

/** The items that the option `items` names; undefined for all. */
export const chooseItems = async <TRequest, TViewer extends Viewer>(
  items: VitrineOptions<TRequest, TViewer>['items'],
  known: KnownViewer<TViewer>,
  hostRequest: TRequest,
): Promise<readonly number[] | undefined> => {
  if (typeof items !== 'function') return undefined;
  const chosen = await callHost('items', () => items(known.viewer, hostRequest), readIds);
  checkUnchanged(known);
  return chosen;
};

/**
 * The reports, dashboards and apps that a viewer may open: of the tenant's items, or of `chosen`, those that `mayView`
 * allows. Throws if there are too many to ask about, or the answers take too long.
 */
export const listViewable = async (
  { listItems }: Pick<PortalCalls, 'listItems'>,
  chosen: readonly number[] | undefined,
  mayView: (itemId: number) => Promise<boolean>,
): Promise<readonly EmbedItem[]> => {
  const items = await listItems().catch(explainError);
  const ids = chosen && new Set(chosen);
  const candidates = items
    .map(listed)
    .filter((item) => item !== undefined)
    .filter(({ itemId }) => ids?.has(itemId) ?? true);
  if (candidates.length > maxChecks)
    throw tooMany(`There are ${candidates.length} reports to ask canView() about; at most ${maxChecks} are.`);
  const waiting = candidates.values();
  const allowed = new Set<EmbedItem>();
  let isLate = false;
  const checkInTurn = async (): Promise<void> => {
    for (const item of waiting) {
      if (isLate) return;
      if (await mayView(item.itemId)) allowed.add(item);
    }
  };
  const late = () => tooMany(`canView() did not answer for all reports within ${checksTimeoutMs} ms.`);
  try {
    await inTime(Promise.all(Array.from({ length: checksAtOnce }, checkInTurn)), late, checksTimeoutMs);
  } finally {
    isLate = true;
  }
  return candidates.filter((item) => allowed.has(item));
};
