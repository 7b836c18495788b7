import { expect } from 'vitest';
import { acted, visualsOf } from '../../../src/conformance/lib/checks/webhooks.ts';
import type { CheckContext } from '../../../src/conformance/lib/createContext.ts';
import { must, need } from '../../../src/conformance/lib/difference.ts';
import { isGuid, isInteger, isText } from '../../../src/conformance/lib/fieldTypes.ts';
import { type Fields, isFields } from '../../../src/conformance/lib/readers.ts';
import type { CapturedAction } from '../../../src/conformance/lib/target.ts';
import { type Choice, chosen } from './expectations.ts';

/** The acknowledged actions with a gesture. */
const acts = (context: CheckContext, gesture: CapturedAction['gesture'] = 'one row') =>
  acted(context, gesture, (one) => one.gesture === gesture && one.receiverStatus < 300);

const act = (...of: Parameters<typeof acts>) => acts(...of)[0] ?? expect.fail('There is no action.');

export const actionChoices: readonly Choice[] = [
  chosen('6.1', 'the secret is sent as a Bearer token', {
    gap: 'webhook Authorization',
    run: (context) => {
      const { first, secret } = act(context);
      need(secret !== undefined, 'needs a task with a secret');
      must(first.headers['authorization'] === `Bearer ${secret}`, 'Bearer and the secret', 'another value');
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
      const { body } = act(context, 'several rows');
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
      const { body, received } = act(context, 'clear');
      must(received.length === 1, 'one request', received.length);
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
