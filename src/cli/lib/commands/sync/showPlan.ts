import type { PlanAction, PlanCounts, SyncPlan } from '@vitrine/portal-client';
import type { Colors } from '../../output/createColors.ts';
import type { Output } from '../../output/createOutput.ts';
import { type Column, formatTable } from '../../output/formatTable.ts';
import { plainText } from '../../output/plainText.ts';

const maxRows = 50;

/** Shows a plan as people read it: what happens to whom, then what cannot be done, then what to know. */
export const showPlan = (plan: SyncPlan, out: Output, width: number): void => {
  const { colors, line, note } = out;
  const shown = plan.actions.slice(0, maxRows);
  if (shown.length > 0) line(formatTable(shown, planColumns, { width, colors }));
  if (plan.actions.length > shown.length)
    line(
      colors.dim(
        `… and ${(plan.actions.length - shown.length).toLocaleString('en')} more; --json shows all of them.`,
      ),
    );
  if (plan.conflicts.length > 0)
    line(`${shown.length > 0 ? '\n' : ''}${colors.bold('Conflicts')}, about which nothing is done:`);
  for (const { message } of plan.conflicts.slice(0, maxRows))
    line(`  ${colors.red('!')} ${plainText(message)}`);
  if (plan.conflicts.length > maxRows) line(colors.dim(`  … and ${plan.conflicts.length - maxRows} more.`));
  for (const { message } of plan.warnings) note(`${colors.yellow('Note:')} ${plainText(message)}`);
  line(`${plan.actions.length + plan.conflicts.length > 0 ? '\n' : ''}${summarise(plan.counts)}`);
};

/** The plan in one line. */
export const summarise = (counts: PlanCounts): string => {
  const parts = [
    [counts.create, 'to create'],
    [counts.update, 'to change'],
    [counts.disable, 'to disable'],
    [counts.delete, 'to remove'],
    [counts.conflicts, counts.conflicts === 1 ? 'conflict' : 'conflicts'],
  ].filter(([count]) => count !== 0);
  const left = `${counts.unchanged.toLocaleString('en')} as wanted`;
  return parts.length === 0
    ? `Nothing to do: ${left}.`
    : `Plan: ${[...parts.map(([count, what]) => `${count?.toLocaleString('en')} ${what}`), left].join(', ')}.`;
};

const nouns = { user: 'user', role: 'role', organizationUnit: 'unit', item: 'item' } as const;

const paints: Readonly<Record<string, (text: string, colors: Colors) => string>> = {
  '+': (text, colors) => colors.green(text),
  '~': (text, colors) => colors.yellow(text),
  '-': (text, colors) => colors.red(text),
};

const planColumns: readonly Column<PlanAction>[] = [
  {
    title: '',
    value: (action) => ({ create: '+', update: '~', disable: '-', delete: '-' })[action.action],
    minWidth: 1,
    paint: (text, colors) => paints[text.trim()]?.(text, colors) ?? text,
  },
  { title: 'ACTION', value: (action) => `${action.action} ${nouns[action.resource]}`, minWidth: 12 },
  { title: 'WHO OR WHAT', value: (action) => action.key, minWidth: 20 },
  { title: 'DETAILS', value: (action) => describe(action), minWidth: 16 },
];

const describe = (action: PlanAction): string => {
  if (action.action === 'update')
    return Object.entries(action.changes)
      .map(([field, change]) => describeChange(field, change))
      .join('; ');
  if (action.action !== 'create') return '';
  switch (action.resource) {
    case 'user':
      return [`${action.input.firstName} ${action.input.lastName}`, ...(action.input.roles ?? [])].join(', ');
    case 'role':
      return `${action.input.name} (${action.input.type})`;
    case 'organizationUnit':
      return action.parentPath === '' ? 'at the top' : `under ${action.parentPath}`;
    case 'item':
      return action.input.displayName;
  }
};

type Change = {
  readonly from: string | readonly string[] | undefined;
  readonly to: string | readonly string[];
};

/** Lists by what joins and what leaves, texts by before and after. */
const describeChange = (field: string, { from, to }: Change): string => {
  if (typeof to === 'string' || typeof from === 'string' || from === undefined)
    return `${field}: ${String(from ?? '–')} → ${String(to)}`;
  const joins = to.filter((entry) => !from.includes(entry)).map((entry) => `+${entry}`);
  const leaves = from.filter((entry) => !to.includes(entry)).map((entry) => `-${entry}`);
  return `${field}: ${[...joins, ...leaves].join(' ')}`;
};
