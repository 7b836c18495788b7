import { ask, shown } from './ask.ts';
import { itemForm, taskForm } from './contentForms.ts';
import type { ListDefinition } from './listView.ts';
import { roleForm, ruleText, unitForm, userForm } from './peopleForms.ts';
import { field, timeField } from './uiParts.ts';

const remove =
  (path: string): NonNullable<ListDefinition['remove']> =>
  (tenancyName, row) =>
    ask('DELETE', `/tenants/${tenancyName}/${path}/${shown(row['id'])}`);

const holders = (count: unknown, what: string): string =>
  Number(count) > 0 ? `Users who ${what}: ${shown(count)}.` : '';

/** The lists of a tenant, in the order of the menu. */
export const lists: readonly ListDefinition[] = [
  {
    name: 'users',
    title: 'Users',
    one: 'user',
    columns: [
      field('ID', 'id'),
      field('Name', 'displayName'),
      field('Email', 'email'),
      field('Type', 'type'),
      field('Roles', 'roles'),
    ],
    form: userForm,
    remove: remove('v1/users'),
    nameOf: (row) => shown(row['email']),
  },
  {
    name: 'roles',
    title: 'Roles',
    one: 'role',
    columns: [
      field('Name', 'name'),
      field('Type', 'type'),
      field('Code', 'code'),
      { title: 'Visible rows', read: ruleText },
      field('Users', 'userCount'),
      field('Description', 'description'),
    ],
    form: roleForm,
    remove: remove('roles'),
    isRemovable: (row) => row['isSystem'] !== true,
    effectOf: (row) => holders(row['userCount'], 'will lose this role'),
    nameOf: (row) => shown(row['name']),
  },
  {
    name: 'organization-units',
    title: 'Units',
    one: 'unit',
    columns: [
      field('ID', 'id'),
      field('Path', 'path'),
      field('Members', 'memberCount'),
      field('Directory group', 'directoryGroupId'),
    ],
    form: unitForm,
    remove: remove('organization-units'),
    nameOf: (row) => shown(row['path']),
    effectOf: (row) => holders(row['memberCount'], 'will be removed from this unit'),
  },
  {
    name: 'items',
    title: 'Items',
    one: 'item',
    columns: [
      field('ID', 'id'),
      field('Name', 'displayName'),
      field('Type', 'type'),
      {
        title: 'Rows',
        read: (row) => (row['hasRls'] === true ? 'filtered by role' : 'all rows for everyone'),
      },
      field('GUID', 'guid'),
    ],
    form: itemForm,
    remove: remove('items'),
    effectOf: () => 'Its links expire, and its tasks are no longer bound to a report.',
    nameOf: (row) => shown(row['displayName']),
  },
  {
    name: 'tasks',
    title: 'Tasks',
    one: 'task',
    columns: [
      field('ID', 'id'),
      field('Name', 'name'),
      field('Kind', 'kind'),
      field('Item', 'reportId'),
      field('Visuals', 'visualNames'),
      {
        title: 'Sends to',
        read: (row) => (row['kind'] === 'webhook' ? shown(row['webhookUrl'] ?? 'no address') : '–'),
      },
      {
        title: 'Secret',
        read: (row) => (row['kind'] === 'webhook' ? (row['hasSecret'] === true ? 'set' : 'none') : '–'),
      },
    ],
    form: taskForm,
    remove: remove('tasks'),
    nameOf: (row) => shown(row['name']),
  },
  {
    name: 'links',
    title: 'Links',
    one: 'link',
    columns: [
      field('ID', 'id'),
      field('Kind', 'kind'),
      field('Name', 'name'),
      field('Item', 'reportId'),
      timeField('Expires', 'expiresAt'),
    ],
    remove: remove('links'),
    nameOf: (row) => shown(row['id']),
  },
  {
    name: 'audit-logs',
    title: 'Audit log',
    one: 'event',
    columns: [
      timeField('Time', 'timestamp'),
      field('Event', 'actionType'),
      field('Description', 'description'),
      field('By', 'userEmail'),
      field('Result', 'result'),
    ],
  },
];
