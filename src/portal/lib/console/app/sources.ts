import { reportDefinition } from '../../reports/definitions/reportDefinitions.ts';
import { pathText, type Row, shown } from './api.ts';

/** What a row of a list offers: choices, each a value and its texts. */
export type Choices = (row: Row, values: Row) => readonly (readonly unknown[])[];

/** What a field can choose from by searching: a list, and what its rows offer. */
export const sources = {
  roles: ['roles', ({ name, type }) => [[name, name, type]]],
  codes: ['roles', ({ type, code, name }) => (type === 'RLS' ? [[code, code, name]] : [])],
  'organization-units': ['organization-units', ({ id, path }) => [[id, pathText(path), id]]],
  items: ['items', ({ id, displayName }) => [[id, id, displayName]]],
  users: ['users', ({ id, email, displayName }) => [[id, email, displayName]]],
  emails: ['users', ({ email }) => [[email, email]]],
  tenants: ['tenants', ({ tenancyName }) => [[tenancyName, tenancyName]]],
  visuals: [
    'items',
    ({ id, report }, { itemId }) =>
      String(id) === String(itemId)
        ? reportDefinition(shown(report)).pages.flatMap(({ visuals }) =>
            visuals.map((visual) => [visual.id, visual.id, visual.title]),
          )
        : [],
  ],
} satisfies Readonly<Record<string, readonly [list: string, Choices]>>;

/** A list that a field can choose from. */
export type Source = keyof typeof sources;
