import { randomUUID } from 'node:crypto';
import { expect } from 'vitest';
import { deliveriesOf, visualsOf } from '../../../src/conformance/lib/checks/webhooks.ts';
import type { CheckContext } from '../../../src/conformance/lib/createContext.ts';
import { must, need } from '../../../src/conformance/lib/difference.ts';
import {
  isBoolean,
  isGuid,
  isInstant,
  isInteger,
  isText,
  isTextList,
  mustMatch,
} from '../../../src/conformance/lib/fieldTypes.ts';
import { type Fields, isFields } from '../../../src/conformance/lib/readers.ts';
import { newBody } from '../../../src/conformance/lib/resources.ts';
import {
  type Choice,
  chosen,
  describeChoices,
  isOneOf,
  mustAnswerList,
  mustAnswerResource,
  mustFail,
  mustName,
  orNull,
} from './choice.ts';

const item = {
  id: isInteger,
  guid: isGuid,
  type: isText,
  workspaceId: isGuid,
  reportId: isGuid,
  displayName: isText,
  roles: isTextList,
  additionalData: Array.isArray,
  createdAt: isInstant,
};
const lists = ['users', 'roles', 'organization-units', 'items', 'tasks', 'links', 'audit-logs'];

/** Related content of one kind. */
const related = (type: string) => ({ additionalData: [{ type, id: randomUUID(), hasRls: true }] });

const contentChoices: readonly Choice[] = [
  ...lists.map((name) =>
    chosen('4', `GET /v1/${name} returns items, totalCount, page and pageSize`, {
      gap: 'list shape',
      run: async ({ admin }) => void mustAnswerList(await admin('GET', `/v1/${name}`)),
    }),
  ),
  ...['roles', 'organization-units', 'items', 'tasks', 'links'].map((name) =>
    chosen('4', `GET /v1/${name} returns all rows, and a page when page or pageSize is given`, {
      gap: 'roles, OUs, items, tasks, links',
      run: async ({ admin }) => {
        const all = mustAnswerList(await admin('GET', `/v1/${name}`));
        must(all.items.length === all.totalCount, `${all.totalCount} rows`, all.items.length);
        need(all.items.length > 0, `needs a row of ${name}`);
        const one = mustAnswerList(await admin('GET', `/v1/${name}?page=1&pageSize=1`));
        must(one.items.length === 1 && one.totalCount === all.totalCount, 'one row and the same total', one);
      },
    }),
  ),
  chosen('2.4', 'a returned item has both forms of the Item ID, its sent fields and createdAt', {
    gap: 'returned item',
    run: async ({ admin }) => {
      for (const each of mustAnswerList(await admin('GET', '/v1/items')).items) mustMatch(each, item);
    },
  }),
  chosen(
    '4.4',
    'importing an item returns 201 and the item; kinds of item and of related content are any text, whose case is kept',
    {
      gap: 'item type; additionalData type',
      run: async (context) => {
        const post = async (changes: object) =>
          context.admin('POST', '/v1/items', { body: await newBody(context, 'items', { ...changes }) });
        mustMatch(mustAnswerResource(await post(related('semanticModel')), 201), item);
        mustAnswerResource(await post(related('dataset')), 201);
        const open = mustAnswerResource(await post({ type: 'PaginatedReport', ...related('DataFlow') }), 201);
        mustMatch(open, { type: (value) => value === 'PaginatedReport' });
        must(JSON.stringify(open['additionalData']).includes('"DataFlow"'), 'the type DataFlow', open);
        mustName(await post({ reportId: 'no guid' }), 'reportId');
      },
    },
  ),
  chosen('4.4', 'the same unit or the same item is created once: the second time is 409', {
    gap: 'same unit (name and parent) or same item (workspace and report) created twice',
    run: async (context) => {
      const unit = { name: context.unique('Unit'), parentId: 'root' };
      const itemBody = await newBody(context, 'items', {});
      for (const [path, body] of [
        ['/v1/organization-units', unit],
        ['/v1/items', itemBody],
      ] as const) {
        mustAnswerResource(await context.admin('POST', path, { body }), 201);
        mustFail(await context.admin('POST', path, { body }), 409);
      }
    },
  }),
  chosen(
    '2.5',
    'a task has id, name, description, kind, reportId, visualNames, webhookUrl, hasSecret and enabled, never its secret',
    {
      gap: 'task',
      run: async ({ admin }) => {
        const { items } = mustAnswerList(await admin('GET', '/v1/tasks'));
        need(items.length > 0, 'needs a task');
        for (const task of items) {
          mustMatch(task, {
            name: isText,
            description: isText,
            kind: isOneOf('webhook', 'daxQuery'),
            visualNames: isTextList,
            webhookUrl: orNull(isText),
            hasSecret: isBoolean,
            enabled: isBoolean,
          });
          must('id' in task && 'reportId' in task, 'an id and a reportId', task);
          must(!('secret' in task), 'no secret', 'a secret');
        }
      },
    },
  ),
  chosen('2.5', 'an issued key is an active reportKey link until it expires', {
    gap: 'link',
    run: async ({ admin, itemId, mintKey }) => {
      const before = mustAnswerList(await admin('GET', '/v1/links')).items;
      const expiration = new Date(Date.now() + 1_800_000).toISOString();
      const key = await mintKey({ value: { expiration } });
      const after = mustAnswerList(await admin('GET', '/v1/links')).items;
      must(after.length === before.length + 1, 'one link more', after.length - before.length);
      const known = new Set(before.map(({ id }) => id));
      const link = after.find(({ id }) => !known.has(id));
      must(link !== undefined, 'a new link', after);
      mustMatch(link, { name: isText, createdAt: isInstant });
      must(link['kind'] === 'reportKey', 'reportKey', link['kind']);
      must(link['reportId'] !== undefined, `report ${await itemId()}`, link);
      must(
        Math.abs(Date.parse(String(link['expiresAt'])) - Date.parse(expiration)) < 1000,
        expiration,
        link['expiresAt'],
      );
      must(!JSON.stringify(after).includes(key), 'no key in the list', 'the key');
    },
  }),
];

/** The deliveries after a selection of so many rows. */
const acts = (context: CheckContext, count = 1) => deliveriesOf(context).filter(({ rows }) => rows === count);

const act = (...of: Parameters<typeof acts>) => acts(...of)[0] ?? expect.fail('There is no action.');

const actionChoices: readonly Choice[] = [
  chosen('6.1', 'the secret is sent as a Bearer token', {
    gap: 'webhook Authorization',
    run: (context) => {
      const { headers, secret } = act(context);
      need(secret !== undefined, 'needs a task with a secret');
      must(headers['authorization'] === `Bearer ${secret}`, 'Bearer and the secret', 'another value');
    },
  }),
  chosen('6.1', 'the body is metadata and visualData, and nothing else', {
    gap: 'webhook body',
    run: (context) => {
      const { body } = act(context);
      must(
        Object.keys(body).sort().join() === 'metadata,visualData',
        'metadata and visualData',
        Object.keys(body),
      );
      must(isFields(body['metadata']) && Array.isArray(body['visualData']), 'an object and an array', body);
    },
  }),
  chosen('6.1', 'reportId is the GUID of the item', {
    gap: 'webhook reportId',
    run: (context) => {
      const { body, itemGuid } = act(context);
      const reportId = isFields(body['metadata']) ? body['metadata']['reportId'] : undefined;
      must(isGuid(reportId) && reportId === itemGuid, itemGuid, reportId);
    },
  }),
  chosen('6.1', 'measures are numbers and selected values texts', {
    gap: '`values[].value`, `identity[].equals`',
    run: (context) => {
      const { body } = act(context, 2);
      for (const row of visualsOf(body).flatMap(({ data }) => data as Fields[])) {
        for (const { value } of row['values'] as Fields[]) must(typeof value === 'number', 'a number', value);
        for (const { equals } of row['identity'] as Fields[]) must(isText(equals), 'a text', equals);
      }
    },
  }),
  chosen('6.1', 'targets name a table and a column', {
    gap: 'targets',
    run: (context) => {
      const { body } = act(context);
      for (const row of visualsOf(body).flatMap(({ data }) => data as Fields[]))
        for (const { target } of [...(row['identity'] as Fields[]), ...(row['values'] as Fields[])]) {
          const { table, column } = target as Fields;
          must(isText(table) && isText(column), 'a table and a column', target);
        }
    },
  }),
  chosen('6.1', 'clearing a selection sends the visual with empty data', {
    gap: 'deselection',
    run: (context) => {
      const { body } = act(context, 0);
      must(
        visualsOf(body).every(({ data }) => Array.isArray(data) && data.length === 0),
        'data: []',
        body,
      );
    },
  }),
  chosen('6.1', 'currentUser is the same number each time the same viewer acts', {
    gap: 'currentUser for an embedded viewer',
    run: (context) => {
      const users = acts(context).map(({ body: { metadata } }) =>
        isFields(metadata) ? metadata['currentUser'] : undefined,
      );
      must(isInteger(users[0]) && users[0] === users[1], 'one number', users);
    },
  }),
];

describeChoices([...contentChoices, ...actionChoices], { hasActions: true });
