import { type EmbedItem, isItemId } from '@vitrine/contract';
import type { Item } from '@vitrine/portal-client';
import { inTime } from './hostCalls.ts';
import { KeyRequestError } from './problems.ts';

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

/**
 * The reports, dashboards and apps that a viewer may open: of the tenant's items, or of `chosen`, those that `mayView`
 * allows. Throws if there are too many to ask about, or the answers take too long.
 */
export const listViewable = async (
  items: readonly Item[],
  chosen: readonly number[] | undefined,
  mayView: (itemId: number) => Promise<boolean>,
): Promise<readonly EmbedItem[]> => {
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
