import { acts, type Check } from '../check.ts';
import type { CheckContext } from '../createContext.ts';
import { must, need } from '../difference.ts';
import { isText, mustMatch, mustMatchRows, type Shape } from '../fieldTypes.ts';
import { type Fields, isFields } from '../readers.ts';
import { parse } from '../send.ts';
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
    const body = parse(first.text);
    must(isFields(body), 'a JSON object', first.text);
    return { ...action, first, body };
  });
};

const oneRow = (context: CheckContext) =>
  acted(context, 'a click', ({ gesture, receiverStatus }) => gesture === 'one row' && receiverStatus < 300);

/** The metadata of a webhook body, in a member or at the top level: the interface does not name the part. */
const metadataOf = (body: Fields): Fields => {
  const part = [body['metadata'], body].find((each) => isFields(each) && 'actionTriggeredAt' in each);
  must(isFields(part), 'metadata', Object.keys(body));
  return part;
};

/** The visual data array of a webhook body, under any name. */
export const visualsOf = (body: Fields): readonly Fields[] => {
  const part: unknown = Object.values(body).find((value) => Array.isArray(value));
  const isIt = Array.isArray(part) && part.every((entry) => isFields(entry) && 'visual' in entry);
  must(isIt, 'a visual data array', Object.keys(body));
  return part;
};

const rowsOf = (body: Fields): readonly Fields[] =>
  visualsOf(body).flatMap(({ data }) => (Array.isArray(data) ? data.filter(isFields) : []));

/** The rows of the table of the metadata. */
export const metadataRows = [
  '| actionTriggeredAt | string, ISO 8601 UTC timestamp | When the user triggered the action |',
  '| clientUrl | string | Base URL of the Tenant where the action occurred |',
  '| currentUser | integer | Internal user ID of the user who triggered the action |',
  '| reportId | string (GUID) | Item ID of the report |',
  '| reportName | string | Display name of the report |',
  '| tenancyName | string | Tenant subdomain name |',
  '| visualName | string | Internal visual ID of the BI platform |',
];

const column = { table: isText, column: isText };
const measured = { $schema: isText, aggregationFunction: isText, ...column };
/** The visual data array. */
const visualData: Shape = [
  {
    visual: isText,
    data: [
      {
        identity: [{ equals: () => true, target: column }],
        values: [{ value: Number.isFinite, formattedValue: isText, target: measured }],
      },
    ],
  },
];

const authorizationCheck = (hasSecret: boolean): Check => {
  const task = `a task ${hasSecret ? 'with' : 'without'} a secret token`;
  return acts(
    `6.1 the Authorization header of ${task} has ${hasSecret ? 'it' : 'none'}`,
    'If a secret token is configured, it is sent in the Authorization header.',
    (context) => {
      const wanted = acted(context, `a click on ${task}`, (one) => (one.secret !== undefined) === hasSecret);
      for (const { first, secret } of wanted) {
        const { authorization } = first.headers;
        const fits = secret === undefined ? authorization === undefined : authorization?.includes(secret);
        must(fits === true, hasSecret ? 'the secret in Authorization' : 'no Authorization', 'another value');
        const isHidden = secret === undefined || !first.text.includes(secret);
        must(isHidden, 'the secret only in the header', 'the secret in the body');
      }
    },
  );
};

export const webhookChecks: readonly Check[] = [
  acts(
    '6.1 a click on a bound visual sends one HTTP POST with metadata and the visual data array as JSON',
    'When a user interacts with that visual (for example a click or a data point selection), the service sends an HTTP POST to the configured webhook URL.',
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
    'Failed deliveries are not retried automatically.',
    (context) => {
      const what = 'a click that the receiver refused';
      for (const { received, receiverStatus } of acted(context, what, (one) => one.receiverStatus >= 300))
        must(received.length === 1, `one request after status ${receiverStatus}`, received.length);
    },
  ),
  ...[true, false].map(authorizationCheck),
  acts(
    '6.1 the metadata describes the tenant, the report, the visual and the time of the click',
    'Metadata object (always present):',
    (context) => {
      const { tenantUrl, tenancyName } = context.target;
      for (const { body, itemGuid, itemName, visual } of oneRow(context)) {
        const metadata = metadataOf(body);
        mustMatchRows(metadata, metadataRows, true);
        const origin = URL.parse(String(metadata['clientUrl']))?.origin;
        must(origin === new URL(tenantUrl).origin, tenantUrl, metadata['clientUrl']);
        const known = { reportId: itemGuid, reportName: itemName, tenancyName, visualName: visual };
        for (const [name, value] of Object.entries(known))
          must(metadata[name] === value, `${name} ${value}`, metadata[name]);
      }
    },
  ),
  acts(
    '6.1 every visual has its ID and its rows: the selected values as identity, the measures as values',
    'Identity describes what was selected; values hold the associated measures.',
    (context) => {
      for (const { body, visual } of oneRow(context)) {
        const visuals = visualsOf(body);
        mustMatch(visuals, visualData, 'the visual data array');
        const isNamed = visuals.some((entry) => entry['visual'] === visual);
        must(isNamed, `the visual ${visual}`, body);
        const rows = rowsOf(body);
        const isFilled = rows.every(({ identity, values }) => [identity, values].flat().length > 1);
        must(rows.length > 0 && isFilled, 'a selected row with an identity and a measure', body);
      }
      const what = 'a selection of several rows';
      for (const { body } of acted(context, what, ({ gesture }) => gesture === 'several rows'))
        must(rowsOf(body).length > 1, 'several rows', rowsOf(body).length);
    },
  ),
];
