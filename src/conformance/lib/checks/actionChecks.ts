import { type Check, stated } from '../check.ts';
import type { CheckContext } from '../createContext.ts';
import { must, need } from '../difference.ts';
import { type Fields, isFields } from '../readers.ts';
import type { Gesture, ReceivedWebhook, TriggeredAction } from '../target.ts';
import { isGuid, isInteger, isText, isUtcInstant, mustHaveAll } from './fieldTypes.ts';
import { createUser, userPath } from './userChecks.ts';

/** Makes a viewer act and returns what the receiver got. */
export const act = async (
  { target }: CheckContext,
  options: {
    readonly gesture?: Gesture;
    readonly receiverStatus?: number;
    readonly hasSecret?: boolean;
  } = {},
): Promise<TriggeredAction & { readonly first: ReceivedWebhook; readonly body: Fields }> => {
  need(target.actions !== undefined, 'needs a click on a visual and a webhook receiver');
  const { gesture = 'one row', receiverStatus = 204, hasSecret = true } = options;
  const action = await target.actions.trigger({ gesture, receiverStatus, hasSecret });
  const first = action.received[0];
  must(first !== undefined, 'a webhook request', 'none');
  const body: unknown = JSON.parse(first.text);
  must(isFields(body), 'a JSON object', first.text);
  return { ...action, first, body };
};

/** The metadata of a webhook body, in a member or at the top level: the interface does not name the part. */
export const metadataOf = (body: Fields): Fields => {
  const part = [body['metadata'], body].find(
    (candidate) => isFields(candidate) && 'actionTriggeredAt' in candidate,
  );
  must(isFields(part), 'metadata', Object.keys(body));
  return part;
};

/** The visual data array of a webhook body, under any name. */
export const visualsOf = (body: Fields): readonly Fields[] => {
  const part = Object.values(body).find(
    (value) => Array.isArray(value) && value.every((entry) => isFields(entry) && 'visual' in entry),
  );
  must(Array.isArray(part), 'a visual data array', Object.keys(body));
  return part as Fields[]; // every entry was checked above
};

const rowsOf = (body: Fields): readonly Fields[] =>
  visualsOf(body).flatMap((visual) => (Array.isArray(visual['data']) ? (visual['data'] as Fields[]) : []));

const metadataRow = {
  actionTriggeredAt:
    '| actionTriggeredAt | string, ISO 8601 UTC timestamp | When the user triggered the action |',
  clientUrl: '| clientUrl | string | Base URL of the Tenant where the action occurred |',
  currentUser: '| currentUser | integer | Internal user ID of the user who triggered the action |',
  reportId: '| reportId | string (GUID) | Item ID of the report |',
  reportName: '| reportName | string | Display name of the report |',
  tenancyName: '| tenancyName | string | Tenant subdomain name |',
  visualName: '| visualName | string | Internal visual ID of the BI platform |',
};

const metadataField = (
  name: keyof typeof metadataRow,
  sentence: string,
  test: (value: unknown, action: TriggeredAction, context: CheckContext) => void,
): Check =>
  stated('6.1', `metadata.${name} is ${sentence}`, {
    effect: 'act',
    quotes: [
      metadataRow[name],
      'Metadata object (always present):',
      ...(name === 'reportId' ? ['2.4: a GUID-formatted string in the webhook metadata'] : []),
    ],
    run: async (context) => {
      const action = await act(context);
      test(metadataOf(action.body)[name], action, context);
    },
  });

export const actionChecks: readonly Check[] = [
  stated(
    '6.1',
    'a click on a bound visual sends one HTTP POST with metadata and the visual data array as JSON',
    {
      effect: 'act',
      quotes: [
        'A Tenant Administrator configures an Action Task and binds it to a visual of a report.',
        'When a user interacts with that visual (for example a click or a data point selection), the service sends an HTTP POST to the configured webhook URL.',
        'The body has two parts: metadata and the visual data array.',
        'The receiver answers with a 2xx status to acknowledge.',
        '1: Action Tasks bind a report visual to a webhook.',
        '1: When a user interacts with the visual, the service sends an HTTP POST with metadata and the selected data to a configured URL.',
      ],
      run: async (context) => {
        const { received, first, body } = await act(context);
        must(received.length === 1, 'one request', received.length);
        must(first.method === 'POST', 'POST', first.method);
        must(/json/.test(first.headers['content-type'] ?? ''), 'a JSON type', first.headers['content-type']);
        metadataOf(body);
        must(visualsOf(body).length > 0, 'a visual', body);
      },
    },
  ),
  ...[400, 404, 500, 503].map((receiverStatus) =>
    stated('6.1', `a delivery that the receiver answers with ${receiverStatus} is not sent again`, {
      effect: 'act',
      quotes: [
        'Failed deliveries are not retried automatically.',
        '7: A webhook receiver signals failure by any non-2xx status; the service does not retry.',
      ],
      run: async (context) => {
        const { received } = await act(context, { receiverStatus });
        must(received.length === 1, 'one request', received.length);
      },
    }),
  ),
  stated('6.1', 'the secret token of the task is sent in the Authorization header', {
    effect: 'act',
    quotes: [
      'If a secret token is configured, it is sent in the Authorization header.',
      '5: | Outbound webhooks | An optional secret token configured on the Action Task is sent in the Authorization header of each webhook request; the receiver validates it |',
    ],
    run: async (context) => {
      const { first, secret } = await act(context);
      need(secret !== undefined, 'needs a task with a secret');
      must(
        first.headers['authorization']?.includes(secret) === true,
        'the secret in Authorization',
        'another value',
      );
      must(!first.text.includes(secret), 'the secret only in the header', 'the secret in the body');
    },
  }),
  stated('6.1', 'a task without a secret token sends no Authorization header', {
    effect: 'act',
    quotes: ['If a secret token is configured, it is sent in the Authorization header.'],
    run: async (context) => {
      const { first } = await act(context, { hasSecret: false });
      must(first.headers['authorization'] === undefined, 'no Authorization', 'a value');
    },
  }),
  metadataField('actionTriggeredAt', 'an ISO 8601 timestamp in UTC', (value) =>
    must(isUtcInstant(value), 'a UTC timestamp', value),
  ),
  metadataField('clientUrl', 'the base URL of the tenant', (value, _action, { target }) =>
    must(
      typeof value === 'string' && new URL(value).origin === new URL(target.tenantUrl).origin,
      target.tenantUrl,
      value,
    ),
  ),
  metadataField('currentUser', 'an integer', (value) => must(isInteger(value), 'an integer', value)),
  metadataField('reportId', 'the Item ID of the report in its GUID form', (value, { itemGuid }) => {
    must(isGuid(value), 'a GUID', value);
    must(value === itemGuid, itemGuid, value);
  }),
  metadataField('reportName', 'the display name of the report', (value, { itemName }) =>
    must(value === itemName, itemName, value),
  ),
  metadataField('tenancyName', 'the name of the tenant', (value, _action, { target }) =>
    must(value === target.tenancyName, target.tenancyName, value),
  ),
  metadataField('visualName', 'the ID of the visual', (value, { visual }) =>
    must(value === visual, visual, value),
  ),
  stated('6.1', 'every visual of the visual data array has its ID and its rows', {
    effect: 'act',
    quotes: [
      'Visual data array: an array of objects.',
      '| visual | string | Visual ID |',
      '| data | array of object | Data context of the selection |',
    ],
    run: async (context) => {
      const { body, visual } = await act(context);
      for (const entry of visualsOf(body))
        mustHaveAll(entry, { visual: isText, data: (data) => Array.isArray(data) && data.every(isFields) });
      must(
        visualsOf(body).some((entry) => entry['visual'] === visual),
        `the visual ${visual}`,
        body,
      );
      must(rowsOf(body).length > 0, 'a selected row', body);
    },
  }),
  stated('6.1', 'identity describes the selected value, with its table and column', {
    effect: 'act',
    quotes: [
      '| data[].identity | array of object | Row identity: equals (the selected value) and target (object with table and column, strings) |',
      'Identity describes what was selected; values hold the associated measures.',
    ],
    run: async (context) => {
      const rows = rowsOf((await act(context)).body);
      for (const { identity } of rows) {
        must(Array.isArray(identity) && identity.length > 0, 'an identity', identity);
        for (const part of identity as Fields[]) {
          must('equals' in part, 'equals', part);
          must(isFields(part['target']), 'a target', part);
          mustHaveAll(part['target'], { table: isText, column: isText });
        }
      }
    },
  }),
  stated('6.1', 'values are the measures: number, formatted text and the target of the aggregation', {
    effect: 'act',
    quotes: [
      '| data[].values | array of object | Measures: value (number), formattedValue (string), target (object with $schema, aggregationFunction, table, column, all strings) |',
      'Identity describes what was selected; values hold the associated measures.',
    ],
    run: async (context) => {
      const rows = rowsOf((await act(context)).body);
      const measures = rows.flatMap(({ values }) => {
        must(Array.isArray(values), 'values', values);
        return values as Fields[];
      });
      must(measures.length > 0, 'a measure', rows);
      for (const measure of measures) {
        mustHaveAll(measure, { value: (value) => typeof value === 'number', formattedValue: isText });
        must(isFields(measure['target']), 'a target', measure);
        mustHaveAll(measure['target'], {
          $schema: isText,
          aggregationFunction: isText,
          table: isText,
          column: isText,
        });
      }
    },
  }),
  stated('6.2', 'administration operations send no outbound events', {
    effect: 'write',
    quotes: ['The administration operations themselves emit no outbound events that are stated.'],
    run: async (context) => {
      const { actions } = context.target;
      need(actions !== undefined, 'needs a receiver for the webhook');
      const before = actions.countReceived();
      await context.admin('DELETE', userPath(await createUser(context)));
      const { received } = await act(context);
      const after = actions.countReceived();
      must(after - before === received.length, 'only the webhook of the action', after - before);
    },
  }),
  stated('6.1', 'a selection of several rows sends every row', {
    effect: 'act',
    quotes: ['| data | array of object | Data context of the selection |'],
    run: async (context) => {
      const { body } = await act(context, { gesture: 'several rows' });
      must(rowsOf(body).length > 1, 'several rows', rowsOf(body).length);
    },
  }),
];
