import { randomUUID } from 'node:crypto';
import { type Check, stated } from '../check.ts';
import type { CheckContext } from '../createContext.ts';
import { must, need } from '../difference.ts';
import { type Fields, isFields, mustRefuse, mustSucceed, readListing } from '../readers.ts';
import { isBoolean, isGuid, isText, isTextList, mustHaveAll, mustMatchWherePresent } from './fieldTypes.ts';

/** The body of a valid item that no earlier run has imported. */
export const newItemBody = (context: CheckContext, changes: Fields = {}): Fields => ({
  type: 'report',
  workspaceId: randomUUID(),
  reportId: randomUUID(),
  displayName: context.unique('Item'),
  roles: [],
  additionalData: [{ type: 'semanticModel', id: randomUUID(), hasRls: false }],
  ...changes,
});

const itemFields = {
  type: isText,
  workspaceId: isGuid,
  reportId: isGuid,
  displayName: isText,
  roles: isTextList,
  additionalData: (value: unknown) => Array.isArray(value) && value.every(isFields),
};
const relatedFields = { type: isText, id: isGuid, hasRls: isBoolean };

export const itemChecks: readonly Check[] = [
  stated('2.4', 'the fields of a listed item have the stated types, those of its related content too', {
    effect: 'read',
    quotes: [
      '| type | string | Kind of item (a report is one kind) |',
      '| workspaceId | string (GUID) | Workspace of the BI platform that holds the content |',
      '| reportId | string (GUID) | Report identifier in the BI platform |',
      '| displayName | string | Name shown in the service |',
      '| roles | array of string | Role names that apply to the item |',
      '| additionalData | array of object | Related content; each element has type (string), id (string, GUID) and hasRls (boolean) |',
    ],
    run: async ({ admin }) => {
      const { rows } = readListing(await admin('GET', '/v1/items'));
      need(rows.length > 0, 'needs an item in the list');
      for (const item of rows) {
        mustMatchWherePresent(item, itemFields);
        for (const related of (item['additionalData'] ?? []) as Fields[]) mustHaveAll(related, relatedFields);
      }
    },
  }),
  stated('4.4', 'GET /v1/items returns the list of all items', {
    effect: 'read',
    quotes: ['| GET | /v1/items | none | list of all items in the Tenant |'],
    run: async ({ admin }) => {
      const { rows, total } = readListing(await admin('GET', '/v1/items'));
      must(total === undefined || total === rows.length, `all ${total} items`, `${rows.length} rows`);
    },
  }),
  stated('4.4', 'POST /v1/items imports the item into the tenant, with the fields that were sent', {
    effect: 'write',
    quotes: [
      '| POST | /v1/items | body: type, workspaceId, reportId, displayName, roles, additionalData (see 2.4) | imports the item into the Tenant |',
      '2.4: An item is a report, dashboard or app imported from the BI platform.',
    ],
    run: async (context) => {
      for (const type of ['report', 'dashboard', 'app']) {
        const body = newItemBody(context, { type });
        mustSucceed(await context.admin('POST', '/v1/items', { body }), `importing a ${type}`);
        const { rows } = readListing(await context.admin('GET', '/v1/items'));
        const item = rows.find((row) => row['displayName'] === body['displayName']);
        must(item !== undefined, 'the imported item in the list', `${rows.length} items without it`);
        for (const [name, value] of Object.entries(body))
          must(
            item[name] === undefined || JSON.stringify(item[name]) === JSON.stringify(value),
            `${name} as sent: ${JSON.stringify(value)}`,
            item[name],
          );
      }
    },
  }),
  stated('4.4', 'POST /v1/items with a workspaceId that is not a GUID is refused', {
    effect: 'write',
    quotes: ['2.4: | workspaceId | string (GUID) |'],
    run: async (context) => {
      const answer = await context.admin('POST', '/v1/items', {
        body: newItemBody(context, { workspaceId: 'north' }),
      });
      mustRefuse(answer, 'workspaceId "north"');
    },
  }),
  stated('4.4', 'GET /v1/tasks returns the list of all tasks: webhooks or DAX queries', {
    effect: 'read',
    quotes: [
      '| GET | /v1/tasks | none | list of all tasks (webhooks or DAX queries) |',
      '2.5: A task is an automated action configured in the Tenant; its kind is a webhook or a DAX query.',
    ],
    run: async ({ admin }) => {
      const { rows, total } = readListing(await admin('GET', '/v1/tasks'));
      must(total === undefined || total === rows.length, `all ${total} tasks`, `${rows.length} rows`);
      for (const { kind } of rows)
        must(
          kind === undefined || (typeof kind === 'string' && /webhook|dax/i.test(kind)),
          'a webhook or a DAX query',
          kind,
        );
    },
  }),
  stated('4.4', 'GET /v1/links returns the list of all active Report Keys and Slideshow links', {
    effect: 'read',
    quotes: [
      '| GET | /v1/links | none | list of all active Report Keys and Slideshow links |',
      '2.5: A link is an active Report Key or Slideshow link.',
    ],
    run: async ({ admin }) => {
      const { rows, total } = readListing(await admin('GET', '/v1/links'));
      must(total === undefined || total === rows.length, `all ${total} links`, `${rows.length} rows`);
      for (const { kind, expiresAt } of rows) {
        must(
          kind === undefined || (typeof kind === 'string' && /key|slide/i.test(kind)),
          'a report key or a slideshow',
          kind,
        );
        must(
          typeof expiresAt !== 'string' || Date.parse(expiresAt) > Date.now() - 60_000,
          'active links only',
          { expiresAt },
        );
      }
    },
  }),
];
