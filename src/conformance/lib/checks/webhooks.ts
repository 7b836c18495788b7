import { acts, type Check } from '../check.ts';
import type { CheckContext } from '../createContext.ts';
import { must, need } from '../difference.ts';
import { isText, mustHaveAll, mustHaveRows } from '../fieldTypes.ts';
import { type Fields, isFields } from '../readers.ts';
import type { CapturedAction } from '../target.ts';

/** The captured actions of a kind, with their requests. */
export const acted = (
  { target: { actions = [] } }: CheckContext,
  what: string,
  isWanted: (action: CapturedAction) => boolean,
) => {
  const found = actions.filter(isWanted);
  need(found.length > 0, `needs a captured delivery of ${what} (--webhook)`);
  return found.map((action) => {
    const [first] = action.received;
    must(first !== undefined, 'a webhook request', 'none');
    const body: unknown = JSON.parse(first.text);
    must(isFields(body), 'a JSON object', first.text);
    return { ...action, first, body };
  });
};

const oneRow = (context: CheckContext) =>
  acted(context, 'a click', ({ gesture, receiverStatus }) => gesture === 'one row' && receiverStatus < 300);

/** The metadata of a webhook body, in a member or at the top level: the interface does not name the part. */
const metadataOf = (body: Fields): Fields => {
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

const metadataRows = [
  '| actionTriggeredAt | string, ISO 8601 UTC timestamp | When the user triggered the action |',
  '| clientUrl | string | Base URL of the Tenant where the action occurred |',
  '| currentUser | integer | Internal user ID of the user who triggered the action |',
  '| reportId | string (GUID) | Item ID of the report |',
  '| reportName | string | Display name of the report |',
  '| tenancyName | string | Tenant subdomain name |',
  '| visualName | string | Internal visual ID of the BI platform |',
];

export const webhookChecks: readonly Check[] = [
  acts(
    '6.1 a click on a bound visual sends one HTTP POST with metadata and the visual data array as JSON',
    [
      'A Tenant Administrator configures an Action Task and binds it to a visual of a report.',
      'When a user interacts with that visual (for example a click or a data point selection), the service sends an HTTP POST to the configured webhook URL.',
      'The body has two parts: metadata and the visual data array.',
      'The receiver answers with a 2xx status to acknowledge.',
    ],
    (context) => {
      for (const { received, first, body } of oneRow(context)) {
        must(received.length === 1, 'one request', received.length);
        must(first.method === 'POST', 'POST', first.method);
        must(/json/.test(first.headers['content-type'] ?? ''), 'a JSON type', first.headers['content-type']);
        metadataOf(body);
        must(visualsOf(body).length > 0, 'a visual', body);
      }
    },
  ),
  acts(
    '6.1 a delivery that the receiver does not acknowledge is not sent again',
    [
      'Failed deliveries are not retried automatically.',
      '7: A webhook receiver signals failure by any non-2xx status; the service does not retry.',
    ],
    (context) => {
      for (const { received, receiverStatus } of acted(
        context,
        'a click that the receiver refused',
        (one) => one.receiverStatus >= 300,
      ))
        must(received.length === 1, `one request after status ${receiverStatus}`, received.length);
    },
  ),
  ...[true, false].map((hasSecret) =>
    acts(
      `6.1 the Authorization header of a task ${hasSecret ? 'with' : 'without'} a secret token has ${hasSecret ? 'it' : 'none'}`,
      [
        'If a secret token is configured, it is sent in the Authorization header.',
        '5: | Outbound webhooks | An optional secret token configured on the Action Task is sent in the Authorization header of each webhook request; the receiver validates it |',
      ],
      (context) => {
        const what = `a click on a task ${hasSecret ? 'with' : 'without'} a secret`;
        for (const { first, secret } of acted(
          context,
          what,
          (one) => (one.secret !== undefined) === hasSecret,
        )) {
          const { authorization } = first.headers;
          must(
            (authorization !== undefined) === hasSecret,
            `${hasSecret ? 'an' : 'no'} Authorization`,
            'none, or a value',
          );
          if (secret === undefined) continue;
          must(authorization?.includes(secret) === true, 'the secret in Authorization', 'another value');
          must(!first.text.includes(secret), 'the secret only in the header', 'the secret in the body');
        }
      },
    ),
  ),
  acts(
    '6.1 the metadata describes the tenant, the report, the visual and the time of the click',
    [
      'Metadata object (always present):',
      ...metadataRows,
      '2.4: a GUID-formatted string in the webhook metadata',
    ],
    (context) => {
      const { tenantUrl, tenancyName } = context.target;
      for (const { body, itemGuid, itemName, visual } of oneRow(context)) {
        const metadata = metadataOf(body);
        mustHaveRows(metadata, metadataRows);
        const origin = URL.parse(String(metadata['clientUrl']))?.origin;
        must(origin === new URL(tenantUrl).origin, tenantUrl, metadata['clientUrl']);
        const known = { reportId: itemGuid, reportName: itemName, tenancyName, visualName: visual };
        for (const [name, value] of Object.entries(known))
          must(metadata[name] === value, `${name} ${value}`, metadata[name]);
      }
    },
  ),
  acts(
    '6.1 every visual has its ID and its rows, and a selection of several rows sends each',
    [
      'Visual data array: an array of objects.',
      '| visual | string | Visual ID |',
      '| data | array of object | Data context of the selection |',
    ],
    (context) => {
      for (const { body, visual } of oneRow(context)) {
        for (const entry of visualsOf(body))
          mustHaveAll(entry, { visual: isText, data: (data) => Array.isArray(data) && data.every(isFields) });
        must(
          visualsOf(body).some((entry) => entry['visual'] === visual),
          `the visual ${visual}`,
          body,
        );
        must(rowsOf(body).length > 0, 'a selected row', body);
      }
      for (const { body } of acted(
        context,
        'a selection of several rows',
        ({ gesture }) => gesture === 'several rows',
      ))
        must(rowsOf(body).length > 1, 'several rows', rowsOf(body).length);
    },
  ),
  acts(
    '6.1 a row has the selected values as its identity, and the measures as its values',
    [
      '| data[].identity | array of object | Row identity: equals (the selected value) and target (object with table and column, strings) |',
      '| data[].values | array of object | Measures: value (number), formattedValue (string), target (object with $schema, aggregationFunction, table, column, all strings) |',
      'Identity describes what was selected; values hold the associated measures.',
    ],
    (context) => {
      const column = { table: isText, column: isText };
      for (const { identity, values } of oneRow(context).flatMap(({ body }) => rowsOf(body))) {
        must(Array.isArray(identity) && identity.length > 0, 'an identity', identity);
        must(Array.isArray(values) && values.length > 0, 'a measure', values);
        for (const part of identity as Fields[]) {
          must('equals' in part && isFields(part['target']), 'equals and a target', part);
          mustHaveAll(part['target'], column);
        }
        for (const measure of values as Fields[]) {
          mustHaveAll(measure, { value: Number.isFinite, formattedValue: isText, target: isFields });
          const target = { $schema: isText, aggregationFunction: isText, ...column };
          mustHaveAll(measure['target'] as Fields, target);
        }
      }
    },
  ),
];
