import { type Check, reads, writes } from '../check.ts';
import { createContext } from '../createContext.ts';
import { must, need } from '../difference.ts';
import { cellsOf, isBoolean, isGuid, isText, mustMatch, mustMatchRows, type Shape } from '../fieldTypes.ts';
import { type Fields, idOf, mustRefuse, mustSucceed, pathOf, readListing, readResource } from '../readers.ts';
import { create, userPath } from '../resources.ts';

/** The lists of the administration: the row of the table of endpoints, and those of the table of fields. */
const rows: readonly (readonly [section: string, row: string, ...fields: string[]])[] = [
  [
    '4.1',
    '| GET | /v1/users | none | paginated list of users |',
    '| type | string, enum | Identity kind. Allowed: DirectoryAD, DirectoryADExternal, UserPass, MobileID |',
    '| email | string | E-mail address of the user (<EMAIL>) |',
    '| firstName | string | Given name |',
    '| lastName | string | Family name |',
    '| roles | array of string | Role names assigned to the user |',
    '| organizationUnits | array of string | Identifiers of the OUs the user belongs to |',
  ],
  [
    '4.2',
    '| GET | /v1/roles | none | list of all roles in the Tenant |',
    '| name | string | Display name |',
    '| type | string, enum | Allowed: System, Report, RLS |',
    '| code | string | Role code; RLS role codes are the values used in roleNames when creating an encrypted key |',
    '| description | string | Free text |',
  ],
  [
    '4.3',
    '| GET | /v1/organization-units | none | list of all OUs |',
    '| name | string | Name of the OU |',
    '| parentId | string | Identifier of the parent OU; OUs form a hierarchy |',
    '| directoryGroupId | string (GUID), optional | Identifier of a linked security group in the identity directory, used for synchronization |',
  ],
  [
    '4.4',
    '| GET | /v1/items | none | list of all items in the Tenant |',
    '| type | string | Kind of item (a report is one kind) |',
    '| workspaceId | string (GUID) | Workspace of the BI platform that holds the content |',
    '| reportId | string (GUID) | Report identifier in the BI platform |',
    '| displayName | string | Name shown in the service |',
    '| roles | array of string | Role names that apply to the item |',
    '| additionalData | array of object | Related content; each element has type (string), id (string, GUID) and hasRls (boolean) |',
  ],
  ['4.4', '| GET | /v1/tasks | none | list of all tasks (webhooks or DAX queries) |'],
  ['4.4', '| GET | /v1/links | none | list of all active Report Keys and Slideshow links |'],
];

export const lists = rows.map(([section, row, ...fields]) => {
  const [, path = ''] = cellsOf(row);
  return { section, path, row, fields };
});
type List = (typeof lists)[number];

/** Units without a top are in a circle; with several, some parents do not exist. */
const mustBeHierarchy = (units: readonly Fields[]): void => {
  const ids = new Set(units.map(idOf));
  const tops = new Set(units.map(({ parentId }) => String(parentId)).filter((id) => !ids.has(id)));
  must(units.length === 0 || tops.size === 1, 'a hierarchy with one top', [...tops]);
};

/** What an item has as additionalData. */
const relatedContent: Shape = [{ type: isText, id: isGuid, hasRls: isBoolean }];

const listCheck = ({ section, path, row, fields }: List): Check =>
  reads(
    `${section} GET ${path} returns the list as JSON, with fields of the stated types`,
    row,
    async ({ admin }) => {
      const answer = await admin('GET', path);
      const { total, rows } = readListing(answer);
      const { 'content-type': type = 'no type', link } = answer.headers;
      must(/[/+]json\b/.test(type), 'a JSON type', type);
      const isWhole = row.includes('paginated')
        ? total !== undefined || link !== undefined || rows.length === 0
        : total === undefined || total === rows.length;
      must(isWhole, 'every row, or a total or a Link header', `${rows.length} of ${total ?? 'unknown'}`);
      mustMatchRows(rows, fields);
      const related = rows.flatMap(({ additionalData }) => additionalData ?? []);
      mustMatch(related, relatedContent, 'additionalData');
      if (path.endsWith('organization-units')) mustBeHierarchy(rows);
    },
  );

const keyCheck = ({ path }: List): Check =>
  reads(
    `5 GET ${path} needs the API key of the tenant as a Bearer token`,
    '| Administration interface | The Tenant API Key is sent as a Bearer token in the Authorization header of every request |',
    async ({ admin, target: { apiKey } }) => {
      mustSucceed(await admin('GET', path), 'asking with the key');
      for (const [what, authorization] of [
        ['no Authorization', null],
        ['an unknown key', 'Bearer not-a-key-of-this-tenant'],
        ['the key without a scheme', apiKey],
        ['the key under the scheme ApiKey', `ApiKey ${apiKey}`],
      ] as const)
        mustRefuse(await admin('GET', path, { authorization }), what);
    },
  );

const separate =
  'Each Tenant has users, roles, organizational units (OUs) and items (imported reports, dashboards and apps from the BI platform).';

const isolationCheck = ({ path }: List): Check =>
  reads(`1 tenants are isolated in GET ${path}`, separate, async ({ rowsOf, secondTenant }) => {
    const [mine, theirs] = [await rowsOf(path), await rowsOf(path, secondTenant())];
    need(mine.length > 0 && theirs.length > 0, `needs rows of ${path} in both tenants`);
    const ids = new Set(mine.map(idOf));
    const shared = theirs.find((row) => ids.has(idOf(row)));
    must(shared === undefined, 'no row in both tenants', shared);
  });

export const listChecks: readonly Check[] = [
  ...lists.map(listCheck),
  ...lists.map(keyCheck),
  ...lists.map(isolationCheck),
  writes(
    '1 a user of another tenant can be neither read nor changed nor removed',
    separate,
    async ({ admin, secondTenant, target, unique, signal }) => {
      // A user of its own: a portal that does not isolate tenants removes it.
      const other = createContext({ ...target, ...secondTenant() }, unique('other'), signal);
      const path = userPath(await create(other, 'users'));
      try {
        for (const [method, body] of [['GET'], ['PATCH', { firstName: 'Foreign' }], ['DELETE']] as const)
          mustRefuse(await admin(method, path, { body }), `${method} of a user of another tenant`);
      } finally {
        await other.removeUsers();
      }
    },
  ),
  reads(
    '4.1 GET /v1/users pages add up to the total, and each user is at the path with its identifier',
    'paginated list of users',
    async ({ admin, rowsOf }) => {
      const { rows, total } = readListing(await admin('GET', '/v1/users'));
      need(total !== undefined && rows[0] !== undefined, 'needs users, and a total in the list');
      const read = readResource(await admin('GET', pathOf('v1', 'users', idOf(rows[0]))));
      must(idOf(read) === idOf(rows[0]), 'the user whose identifier the path names', read);
      mustRefuse(await admin('GET', '/v1/users/2147480000'), 'an unknown user');
      const ids: string[] = [];
      const pages = Math.min(Math.ceil(total / rows.length), 20);
      for (let page = 1; page <= pages; page += 1)
        ids.push(...(await rowsOf(`/v1/users?page=${page}`)).map(idOf));
      const count = new Set(ids).size;
      must(count === ids.length, 'every user once', `${ids.length - count} users again`);
      must(pages === 20 || count === total, `${total} users`, `${count} users`);
    },
  ),
];
