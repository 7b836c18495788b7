import { type PlanAction, targetOf } from '@vitrine/portal-client';
import type { Output } from '../../output/createOutput.ts';
import { plainText } from '../../output/text.ts';
import { wrapWords } from '../../program/helpLayout.ts';

/** What the resources of a plan are called. */
export const nouns = { user: 'user', role: 'role', organizationUnit: 'unit', item: 'item' } as const;

const signs = { create: '+', update: '~', disable: '-', delete: '-' } as const;

/** An action of a plan in one line, or in several on a narrow terminal. `unitPaths` has the paths of units by ID. */
export const actionLine = (
  action: PlanAction,
  unitPaths: Readonly<Record<string, string>>,
  { colors: { green, yellow, red }, width }: Pick<Output, 'colors' | 'width'>,
): string => {
  const paint = { create: green, update: yellow, disable: red, delete: red }[action.action];
  const what = `${action.action} ${nouns[action.resource]}`.padEnd(12);
  const namesake = 'maybeSameAs' in action ? ` (the same person as ${action.maybeSameAs}?)` : '';
  const details = describe(action, (id) => unitPaths[id] ?? id);
  const target = plainText(targetOf(action));
  const start = `${paint(signs[action.action])}  ${what}`;
  const end = plainText(`${details}${namesake}`);
  if (width >= 80) return `${start} ${target.padEnd(32)}  ${end}`;
  return [`${start} ${target}`, ...wrapWords(end, width - 4).map((row) => `    ${row}`)].join('\n');
};

type NameUnit = (reference: string) => string;

const describe = (action: PlanAction, nameUnit: NameUnit): string => {
  switch (action.action) {
    case 'update':
      return Object.entries(action.to)
        .map(([field, to]) => describeChange(field, { from: Reflect.get(action.from, field), to }, nameUnit))
        .join('; ');
    case 'disable':
    case 'delete':
      return `${action.dangers?.includes('administrator_lost') ? 'an administrator: ' : ''}${listed((action.from.roles ?? []).length > 0 ? 'had' : 'was', action.from, nameUnit)}`;
    case 'create':
      return describeCreation(action, nameUnit);
  }
};

const describeCreation = (action: Extract<PlanAction, { action: 'create' }>, nameUnit: NameUnit): string => {
  switch (action.resource) {
    case 'user':
      return `${action.to.firstName} ${action.to.lastName}${listed(',', action.to, nameUnit)}`;
    case 'role':
      return `${action.to.name} (${action.to.type})`;
    case 'organizationUnit':
      return action.to.parentPath === '' ? 'at the top' : `under ${action.to.parentPath}`;
    case 'item':
      return action.to.displayName;
  }
};

interface Lists {
  readonly roles?: readonly string[];
  readonly organizationUnits?: readonly string[];
}

/** Roles and units in one text; empty if there are none. */
const listed = (lead: string, { roles = [], organizationUnits = [] }: Lists, nameUnit: NameUnit): string => {
  const parts = [roles.join(', '), organizationUnits.map((unit) => `in ${nameUnit(unit)}`).join(', ')];
  const text = parts.filter((part) => part !== '').join('; ');
  return text === '' ? '' : `${lead} ${text}`;
};

interface Change {
  readonly from: string | readonly string[] | undefined;
  readonly to: string | readonly string[];
}

/** Describes a change: lists by additions and removals, strings by before and after. */
const describeChange = (field: string, { from, to }: Change, nameUnit: NameUnit): string => {
  if (typeof to === 'string' || typeof from === 'string' || from === undefined)
    return `${field}: ${String(from ?? '–')} → ${String(to)}`;
  const name = (entry: string) => (field === 'organizationUnits' ? nameUnit(entry) : entry);
  const removed = from.filter((entry) => !to.includes(entry)).map((entry) => `-${name(entry)}`);
  const added = to.filter((entry) => !from.includes(entry)).map((entry) => `+${name(entry)}`);
  return `${field}: ${[...removed, ...added].join(', ')}`;
};
