import { type Check, reads, writes } from '../check.ts';
import { describeAnswer, must, need } from '../difference.ts';
import { isBoolean, isGuid, isText, mustHaveAll, mustMatchRows } from '../fieldTypes.ts';
import {
  type Fields,
  idOf,
  isFields,
  mustRefuse,
  mustSucceed,
  pathOf,
  readListing,
  readResource,
} from '../readers.ts';

/** A list of the interface. */
interface ListEndpoint {
  readonly path: string;
  readonly section: string;
  /** Its row of the table of endpoints. */
  readonly states: string;
  readonly isPaged?: true;
  /** The section and the table of its rows' fields. */
  readonly fields?: readonly [section: string, rows: readonly string[]];
  /** A further statement, and what it says about the rows. */
  readonly more?: readonly [quote: string, mustHold: (rows: readonly Fields[]) => void];
}

const mustBeHierarchy = (units: readonly Fields[]): void => {
  const parents = new Map(units.map((unit) => [idOf(unit), unit['parentId']]));
  const tops = new Set([...parents.values()].filter((parent) => !parents.has(String(parent))));
  must(tops.size <= 1, 'one identifier for the top', [...tops]);
  for (const id of parents.keys()) {
    let steps = 0;
    for (let at: string = id; parents.has(at); at = String(parents.get(at))) {
      steps += 1;
      must(steps <= units.length, 'a hierarchy without cycles', `unit ${id} is its own ancestor`);
    }
  }
};

const mustDescribeContent = (items: readonly Fields[]): void => {
  for (const item of items)
    for (const related of (item['additionalData'] ?? []) as Fields[])
      mustHaveAll(related, { type: isText, id: isGuid, hasRls: isBoolean });
};

/** Throws unless every kind that the rows have is one that the pattern names. */
const mustBeOfKind =
  (pattern: RegExp) =>
  (rows: readonly Fields[]): void => {
    for (const { kind = null } of rows)
      must(kind === null || (isText(kind) && pattern.test(kind)), `a kind ${pattern.source}`, kind);
  };

const mustBeActive = (links: readonly Fields[]): void => {
  mustBeOfKind(/key|slide/i)(links);
  for (const { expiresAt } of links)
    must(!isText(expiresAt) || Date.parse(expiresAt) > Date.now() - 60_000, 'active links', expiresAt);
};

const userRows = [
  '| type | string, enum | Identity kind. Allowed: DirectoryAD, DirectoryADExternal, UserPass, MobileID |',
  '| email | string | E-mail address of the user (<EMAIL>) |',
  '| firstName | string | Given name |',
  '| lastName | string | Family name |',
  '| roles | array of string | Role names assigned to the user |',
  '| organizationUnits | array of string | Identifiers of the OUs the user belongs to |',
];

const lists: readonly ListEndpoint[] = [
  {
    path: '/v1/users',
    section: '4.1',
    states: '| GET | /v1/users | none | paginated list of users |',
    isPaged: true,
    fields: ['2.1', userRows],
  },
  {
    path: '/v1/roles',
    section: '4.2',
    states: '| GET | /v1/roles | none | list of all roles in the Tenant |',
    fields: [
      '2.2',
      [
        '| name | string | Display name |',
        '| type | string, enum | Allowed: System, Report, RLS |',
        '| code | string | Role code; RLS role codes are the values used in roleNames when creating an encrypted key |',
        '| description | string | Free text |',
      ],
    ],
  },
  {
    path: '/v1/organization-units',
    section: '4.3',
    states: '| GET | /v1/organization-units | none | list of all OUs |',
    fields: [
      '2.3',
      [
        '| name | string | Name of the OU |',
        '| parentId | string | Identifier of the parent OU; OUs form a hierarchy |',
        '| directoryGroupId | string (GUID), optional | Identifier of a linked security group in the identity directory, used for synchronization |',
      ],
    ],
    more: ['2.3: OUs form a hierarchy', mustBeHierarchy],
  },
  {
    path: '/v1/items',
    section: '4.4',
    states: '| GET | /v1/items | none | list of all items in the Tenant |',
    fields: [
      '2.4',
      [
        '| type | string | Kind of item (a report is one kind) |',
        '| workspaceId | string (GUID) | Workspace of the BI platform that holds the content |',
        '| reportId | string (GUID) | Report identifier in the BI platform |',
        '| displayName | string | Name shown in the service |',
        '| roles | array of string | Role names that apply to the item |',
        '| additionalData | array of object | Related content; each element has type (string), id (string, GUID) and hasRls (boolean) |',
      ],
    ],
    more: [
      '2.4: each element has type (string), id (string, GUID) and hasRls (boolean)',
      mustDescribeContent,
    ],
  },
  {
    path: '/v1/tasks',
    section: '4.4',
    states: '| GET | /v1/tasks | none | list of all tasks (webhooks or DAX queries) |',
    more: [
      '2.5: A task is an automated action configured in the Tenant; its kind is a webhook or a DAX query.',
      mustBeOfKind(/webhook|dax/i),
    ],
  },
  {
    path: '/v1/links',
    section: '4.4',
    states: '| GET | /v1/links | none | list of all active Report Keys and Slideshow links |',
    more: ['2.5: A link is an active Report Key or Slideshow link.', mustBeActive],
  },
];

const listCheck = ({ section, path, states, isPaged, fields: [of, rows] = ['', []], more }: ListEndpoint) =>
  reads(
    `${section} GET ${path} returns the list as JSON, with fields of the stated types`,
    [
      states,
      '4: All administration endpoints are under {base_url}.',
      '4: Bodies are JSON.',
      ...rows.map((row) => `${of}: ${row}`),
      ...(more === undefined ? [] : [more[0]]),
    ],
    async ({ admin }) => {
      const answer = await admin('GET', path);
      const listing = readListing(answer);
      const { 'content-type': type = 'no type', link } = answer.headers;
      must(/[/+]json\b/.test(type), 'a JSON type', type);
      const { total, rows: found } = listing;
      if (isPaged === true) {
        const hasPages = total !== undefined || link !== undefined || found.length === 0;
        must(hasPages, 'a sign of pages: a total or a Link header', 'a bare list');
      } else must(total === undefined || total === found.length, `all ${total} rows`, `${found.length} rows`);
      for (const row of found) mustMatchRows(row, rows);
      more?.[1](found);
    },
  );

const keyCheck = ({ path }: ListEndpoint) =>
  reads(
    `5 GET ${path} needs the API key of the tenant as a Bearer token`,
    [
      '| Administration interface | The Tenant API Key is sent as a Bearer token in the Authorization header of every request |',
    ],
    async ({ admin, target: { apiKey } }) => {
      mustSucceed(await admin('GET', path), 'asking with the key');
      for (const [what, authorization] of [
        ['no Authorization', null],
        ['an unknown key', 'Bearer not-a-key-of-this-tenant'],
        ['an empty key', 'Bearer '],
        ['the key without a scheme', apiKey],
        ['the key under the scheme ApiKey', `ApiKey ${apiKey}`],
        ['the key as a Basic password', `Basic ${btoa(`:${apiKey}`)}`],
      ] as const) {
        const answer = await admin('GET', path, { authorization });
        mustRefuse(answer, what);
        must(!isFields(answer.json) || !('items' in answer.json), 'no rows', describeAnswer(answer));
      }
    },
  );

const separate =
  '1: Each Tenant has users, roles, organizational units (OUs) and items (imported reports, dashboards and apps from the BI platform).';

const isolationCheck = ({ path }: ListEndpoint) =>
  reads(
    `1 tenants are isolated in GET ${path}`,
    [
      separate,
      'The service is a multi-tenant analytics portal that sits on top of a business-intelligence platform.',
    ],
    async ({ admin, secondTenant }) => {
      const mine = readListing(await admin('GET', path)).rows;
      const theirs = readListing(await admin('GET', path, { tenant: secondTenant() })).rows;
      need(mine.length > 0 && theirs.length > 0, `needs rows of ${path} in both tenants`);
      const ids = new Set(mine.map(idOf));
      const shared = theirs.find((row) => ids.has(idOf(row)));
      must(shared === undefined, 'no row in both tenants', shared);
    },
  );

export const listChecks: readonly Check[] = [
  ...lists.map(listCheck),
  ...lists.map(keyCheck),
  ...lists.map(isolationCheck),
  writes(
    '1 a user of another tenant can be neither read nor changed nor removed',
    [separate],
    async ({ admin, secondTenant }) => {
      const [foreign] = readListing(await admin('GET', '/v1/users', { tenant: secondTenant() })).rows;
      need(foreign !== undefined, 'needs a user of the second tenant');
      const path = pathOf('v1', 'users', idOf(foreign));
      for (const [method, body] of [['GET'], ['PATCH', { firstName: 'Foreign' }], ['DELETE']] as const)
        mustRefuse(await admin(method, path, { body }), `${method} of a user of another tenant`);
    },
  ),
  reads(
    '4.1 GET /v1/users pages add up to the total, and each user is at the path with its identifier',
    [
      'paginated list of users',
      '| GET | /v1/users/{userId} | none | details of the user |',
      '2.1: A user is addressed by <userId> in paths.',
    ],
    async ({ admin }) => {
      const { rows, total } = readListing(await admin('GET', '/v1/users'));
      need(total !== undefined && rows[0] !== undefined, 'needs users, and a total in the list');
      const read = readResource(await admin('GET', pathOf('v1', 'users', idOf(rows[0]))));
      must(idOf(read) === idOf(rows[0]), 'the user whose identifier the path names', read);
      mustRefuse(await admin('GET', '/v1/users/2147480000'), 'an unknown user');
      const ids = new Set<string>();
      const mostPages = Math.min(Math.ceil(total / rows.length), 20);
      for (let page = 1; page <= mostPages; page += 1)
        for (const user of readListing(await admin('GET', `/v1/users?page=${page}`)).rows) {
          must(!ids.has(idOf(user)), 'every user once', `user ${idOf(user)} again on page ${page}`);
          ids.add(idOf(user));
        }
      must(mostPages === 20 || ids.size === total, `${total} users`, `${ids.size} users`);
    },
  ),
  reads(
    '9 administration endpoints and the audit log have the path prefix /v1',
    ['Administration endpoints and the audit log carry the path prefix /v1.'],
    async ({ admin }) => {
      for (const path of [...lists.map((list) => list.path), '/v1/audit-logs']) {
        mustSucceed(await admin('GET', path));
        mustRefuse(await admin('GET', path.replace('/v1', '')), `${path} without /v1`);
      }
    },
  ),
];
