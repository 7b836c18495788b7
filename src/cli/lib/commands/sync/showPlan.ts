import {
  type ApplyOptions,
  isAllowed,
  type PlanAction,
  type SyncPlan,
  type UserSource,
} from '@vitrine/portal-client';
import type { Output } from '../../output/createOutput.ts';
import { listCounts, plainText } from '../../output/text.ts';
import { actionLine, nouns } from './actionLine.ts';

type Danger = NonNullable<PlanAction['dangers']>[number];

const maxRows = 50;

const has = (action: PlanAction, ...dangers: readonly Danger[]): boolean =>
  action.dangers?.some((danger) => dangers.includes(danger)) === true;

/** The parts of a plan, the dangerous ones first. An action belongs to the first that takes it. */
const parts: readonly (readonly [title: string, takes: (action: PlanAction) => boolean, most?: number])[] = [
  ['New administrators', (action) => has(action, 'administrator_gained')],
  ['Users to delete', ({ action }) => action === 'delete'],
  ['Users to disable', ({ action }) => action === 'disable'],
  [
    'Users who lose all roles or units, or a role together with many',
    (action) => has(action, 'left_without_access', 'role_lost_by_many'),
  ],
  ['Administrators who lose a role', (action) => has(action, 'administrator_lost')],
  ['Updates', ({ action }) => action === 'update', maxRows],
  ['Creations', ({ action }) => action === 'create', maxRows],
];

/**
 * Shows a plan, the dangerous part first: new administrators, removals, administrators who lose a role, then updates and
 * creations. It shows only 50 rows of the last two, and 50 conflicts, unless `isWhole`.
 */
export const showPlan = (plan: SyncPlan, out: Output, isWhole = false): void => {
  const { colors, line, warn } = out;
  const section = <TEntry>(
    title: string,
    entries: readonly TEntry[],
    most: number,
    show: (entry: TEntry) => void,
  ) => {
    if (entries.length === 0) return;
    const shown = isWhole ? entries : entries.slice(0, most);
    line(colors.bold(`${title}: ${entries.length.toLocaleString('en')}`));
    for (const entry of shown) show(entry);
    const more = entries.length - shown.length;
    line(more > 0 ? colors.dim(`… and ${more.toLocaleString('en')} more. Add --all to see them.\n`) : '');
  };

  for (const text of plan.source === undefined ? [] : readingLines(plan.source)) out.note(plainText(text));
  const taken = Map.groupBy(plan.actions, (action) => parts.find(([, takes]) => takes(action)));
  for (const part of parts) {
    const [title, , most = Number.POSITIVE_INFINITY] = part;
    const show = (action: PlanAction) => line(actionLine(action, plan.unitPaths ?? {}, out));
    section(title, taken.get(part) ?? [], most, show);
  }
  section('Conflicts (not changed)', plan.conflicts, maxRows, ({ message }) =>
    line(`${colors.red('!')}  ${plainText(message)}`),
  );
  for (const text of plan.warnings) warn(`${colors.yellow('Note:')} ${plainText(text)}`);
  line(summarize(plan));
};

/** How the source was read: what it was taken for, what was used and what was not. */
const readingLines = ({
  readAs,
  used,
  skipped,
  notes,
}: ReturnType<UserSource['reading']>): readonly string[] => [
  [
    `Read as: ${readAs}.`,
    `Used: ${used.join(', ')}.`,
    ...(skipped.length === 0 ? [] : [`Skipped: ${skipped.join(', ')}.`]),
  ].join(' '),
  ...notes,
];

/** The plan in one line, with a count for each kind of change. */
export const summarize = ({ actions, counts }: Pick<SyncPlan, 'actions' | 'counts'>): string => {
  const creations = Object.entries(nouns).map(([resource, noun]) => {
    const count = actions.filter((one) => one.action === 'create' && one.resource === resource).length;
    return [count, `${noun}${count === 1 ? '' : 's'} to create`] as const;
  });
  const changes = listCounts([
    [counts.delete, 'to delete'],
    [counts.disable, 'to disable'],
    [counts.update, 'to update'],
    ...creations,
    [counts.conflicts, counts.conflicts === 1 ? 'conflict' : 'conflicts'],
  ]);
  const rest = `${counts.unchanged.toLocaleString('en')} already synced`;
  return changes === '' ? `Nothing to do: ${rest}.` : `Plan: ${changes}, ${rest}.`;
};

/** The confirmation question for applying a plan, which is shown above it. */
export const applyQuestion = ({ actions, baseUrl }: SyncPlan, options: ApplyOptions = {}): string => {
  const total = actions.filter((action) => isAllowed(action, options)).length;
  const question = `Make ${total} ${total === 1 ? 'change' : 'changes'} at ${baseUrl}?`;
  const skipped = actions.length - total;
  return skipped > 0 ? `${question} Not allowed, and skipped: ${skipped}.` : question;
};
