import { element } from '../../ui/element.ts';
import { ask, type Row, rowsOf, shown } from './api.ts';
import { button, type Column, card, field, showDetails, table, timeField } from './parts.ts';

interface List {
  readonly name: string;
  readonly title: string;
  readonly columns: readonly Column[];
}

const lists: readonly List[] = [
  {
    name: 'users',
    title: 'Users',
    columns: [
      field('Id', 'id'),
      field('Name', 'displayName'),
      field('E-mail', 'email'),
      field('Type', 'type'),
      field('Roles', 'roles'),
    ],
  },
  {
    name: 'roles',
    title: 'Roles',
    columns: [
      field('Name', 'name'),
      field('Type', 'type'),
      field('Code', 'code'),
      field('Description', 'description'),
    ],
  },
  {
    name: 'organization-units',
    title: 'Units',
    columns: [
      field('Id', 'id'),
      field('Path', 'path'),
      field('Members', 'memberCount'),
      field('Directory group', 'directoryGroupId'),
    ],
  },
  {
    name: 'items',
    title: 'Items',
    columns: [field('Id', 'id'), field('Name', 'displayName'), field('Type', 'type'), field('GUID', 'guid')],
  },
  {
    name: 'tasks',
    title: 'Tasks',
    columns: [
      field('Id', 'id'),
      field('Name', 'name'),
      field('Kind', 'kind'),
      field('Visuals', 'visualNames'),
      field('Sends to', 'webhookUrl'),
    ],
  },
  {
    name: 'links',
    title: 'Links',
    columns: [
      field('Id', 'id'),
      field('Kind', 'kind'),
      field('Name', 'name'),
      timeField('Ends', 'expiresAt'),
    ],
  },
  {
    name: 'audit-logs',
    title: 'Audit log',
    columns: [
      timeField('Time', 'timestamp'),
      field('Event', 'actionType'),
      field('Description', 'description'),
      field('By', 'userEmail'),
      field('Result', 'result'),
    ],
  },
];

const connection = (tenant: Row): HTMLElement =>
  card(
    'Connection',
    element('dl', {
      class: 'connection',
      children: [
        ['Tenant URL', 'tenantUrl'],
        ['Base URL', 'baseUrl'],
        ['Tenant ID', 'tenantId'],
        ['Tenancy name', 'tenancyName'],
        ['API key', 'apiKey'],
        ['Passphrase', 'passPhrase'],
      ].flatMap(([title = '', name = '']) => {
        const value = shown(tenant[name]);
        return [
          element('dt', { text: title }),
          element('dd', {
            children: [
              element('code', { text: value === '' ? 'given when it was made, and kept nowhere' : value }),
              ...(value === '' ? [] : [copyButton(title, value)]),
            ],
          }),
        ];
      }),
    }),
  );

const copyButton = (title: string, value: string): HTMLElement => {
  const made = button('Copy', () => {
    void navigator.clipboard.writeText(value).then(() => {
      made.textContent = 'Copied';
      return undefined;
    });
  });
  made.setAttribute('aria-label', `Copy ${title}`);
  return made;
};

/** Rows that are asked for: a tenant may hold thousands of links. */
const shownRows = 200;

const countText = (shownCount: number, totalCount: number): string =>
  shownCount < totalCount ? `The first ${shownCount} of ${totalCount}` : `${totalCount} in all`;

/** A tenant: how to connect to it, and what it holds. */
export const tenantView = (tenant: Row): HTMLElement => {
  const tenancyName = shown(tenant['tenancyName']);
  const place = element('div');
  const tabs = element('div', { class: 'tabs', attributes: { role: 'group', 'aria-label': 'Lists' } });
  let current: List | undefined;
  const show = async (list: List) => {
    current = list;
    for (const tab of tabs.children) tab.setAttribute('aria-pressed', String(tab.textContent === list.title));
    const answer = await ask('GET', `/tenants/${tenancyName}/lists/${list.name}?pageSize=${shownRows}`);
    // Another list was chosen while this one came.
    if (current !== list) return;
    const rows = rowsOf(answer);
    place.replaceChildren(
      ...(rows.length === 0
        ? []
        : [element('p', { class: 'count', text: countText(rows.length, Number(answer['totalCount'])) })]),
      table(list.columns, rows, {
        label: list.title.toLowerCase(),
        onOpen: (row) => showDetails(list.title, row),
      }),
    );
  };
  tabs.append(...lists.map((list) => button(list.title, () => void show(list))));
  const [first] = lists;
  if (first !== undefined) void show(first);
  return element('div', { class: 'stack', children: [connection(tenant), card('Data', tabs, place)] });
};
