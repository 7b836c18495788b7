import { type Check, reads } from '../check.ts';
import type { CheckContext } from '../createContext.ts';
import { must, need } from '../difference.ts';
import { isText, mustMatch, mustMatchRows, type Shape } from '../fieldTypes.ts';
import { type Fields, isFields } from '../readers.ts';
import { parse } from '../send.ts';
import type { CapturedAction } from '../target.ts';

const texts = ['method', 'text', 'itemGuid', 'itemName', 'visual', 'secret'];

/** Reads captured deliveries: nobody can click in a report of another portal. Throws an error that names a wrong part. */
export const capturedActions = (captures: unknown): readonly CapturedAction[] =>
  [captures].flat().map((capture) => {
    const { headers, ...action } = { rows: 1, secret: '', ...Object(capture) };
    const wrong = texts.find((name) => !isText(action[name]));
    if (wrong !== undefined || !isFields(headers)) throw new Error(`it has no valid "${wrong ?? 'headers'}"`);
    const lower = Object.entries(headers).map(([name, value]) => [name.toLowerCase(), String(value)]);
    return { ...action, headers: Object.fromEntries(lower) };
  });

/** The captured deliveries, with their bodies. */
export const deliveriesOf = ({ target: { actions = [] } }: Pick<CheckContext, 'target'>) => {
  need(actions.length > 0, 'needs a click in a report: name a captured delivery with --webhook');
  return actions.map((action) => {
    const body = parse(action.text);
    must(isFields(body), 'a JSON object', action.text);
    return { ...action, body };
  });
};

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

export const webhookChecks: readonly Check[] = [
  reads(
    '6.1 a click on a bound visual sends an HTTP POST with a JSON object',
    'When a user interacts with that visual (for example a click or a data point selection), the service sends an HTTP POST to the configured webhook URL.',
    (context) => {
      for (const { method, headers } of deliveriesOf(context)) {
        must(method === 'POST', 'POST', method);
        must(/json/.test(headers['content-type'] ?? ''), 'a JSON type', headers['content-type']);
      }
    },
  ),
  reads('6.1 no delivery is sent again', 'Failed deliveries are not retried automatically.', (context) => {
    const texts = deliveriesOf(context).map(({ text }) => text);
    need(texts.length > 1, 'needs a list of every delivery that a receiver got (--webhook)');
    must(new Set(texts).size === texts.length, 'every delivery once', 'a delivery again');
  }),
  reads(
    '6.1 the Authorization header has the secret of the task, and is absent without one',
    'If a secret token is configured, it is sent in the Authorization header.',
    (context) => {
      for (const { headers, text, secret = '' } of deliveriesOf(context)) {
        const { authorization = '' } = headers;
        const isExpected = secret === '' ? authorization === '' : authorization.includes(secret);
        must(isExpected, `${secret === '' ? 'none' : 'the secret'} in Authorization`, 'another value');
        must(secret === '' || !text.includes(secret), 'the secret only in the header', 'it in the body');
      }
    },
  ),
  reads(
    '6.1 the metadata describes the tenant, the report, the visual and the time of the click',
    'Metadata object (always present):',
    (context) => {
      const { tenantUrl, tenancyName } = context.target;
      for (const { body, itemGuid, itemName, visual } of deliveriesOf(context)) {
        const metadata = metadataOf(body);
        mustMatchRows([metadata], metadataRows, true);
        const origin = URL.parse(String(metadata['clientUrl']))?.origin;
        must(origin === new URL(tenantUrl).origin, tenantUrl, metadata['clientUrl']);
        const known = { reportId: itemGuid, reportName: itemName, tenancyName, visualName: visual };
        for (const [name, value] of Object.entries(known))
          must(metadata[name] === value, `${name} ${value}`, metadata[name]);
      }
    },
  ),
  reads(
    '6.1 every visual has its ID and its rows: the selected values as identity, the measures as values',
    'Identity describes what was selected; values hold the associated measures.',
    (context) => {
      for (const { body, visual, rows } of deliveriesOf(context)) {
        const visuals = visualsOf(body);
        mustMatch(visuals, visualData, 'the visual data array');
        const isNamed = visuals.some((entry) => entry['visual'] === visual);
        must(isNamed, `the visual ${visual}`, body);
        const selected = visuals.flatMap(({ data }) => (Array.isArray(data) ? data.filter(isFields) : []));
        const isFilled = selected.every(({ identity, values }) => [identity, values].flat().length > 1);
        must(selected.length >= rows && isFilled, `${rows} rows with an identity and a measure`, body);
      }
    },
  ),
];
