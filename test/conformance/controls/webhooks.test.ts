import { expect, it } from 'vitest';
import type { CapturedAction } from '../../../src/conformance/lib/target.ts';
import { sharedPortal } from '../support/sharedPortal.ts';
import { checksOf, otherThan } from './detects.ts';

const started = sharedPortal(':memory:', { hasActions: true });

/** A service that breaks the webhook of section 6 in one way, and the checks that must detect it. */
interface BrokenWebhook {
  readonly name: string;
  readonly noticedBy: readonly string[];
  /** The deliveries that its receiver gets instead of the original ones. */
  readonly breakWith: (deliveries: readonly CapturedAction[]) => readonly CapturedAction[];
}

const each =
  (change: (delivery: CapturedAction) => Partial<CapturedAction>): BrokenWebhook['breakWith'] =>
  (deliveries) =>
    deliveries.map((delivery) => ({ ...delivery, ...change(delivery) }));

/** Replaces a pattern in the text of the body. */
const replacing = (pattern: RegExp, text: string) =>
  each((delivery) => ({ text: delivery.text.replace(pattern, text) }));

const metadata = (name: string, value: string): BrokenWebhook => ({
  name: `sends ${value || 'nothing'} as ${name}`,
  noticedBy: ['6.1 the metadata describes'],
  breakWith: replacing(
    new RegExp(`"${name}":(?:"[^"]*"|\\d+)`),
    value === '' ? '"other":1' : `"${name}":${value}`,
  ),
});

const brokenWebhooks: readonly BrokenWebhook[] = [
  {
    name: 'sends every delivery twice',
    noticedBy: ['6.1 no delivery is sent again'],
    breakWith: (deliveries) => [...deliveries, ...deliveries],
  },
  { name: 'sends a PUT', noticedBy: ['6.1 a click'], breakWith: each(() => ({ method: 'PUT' })) },
  {
    name: 'omits the secret',
    noticedBy: ['6.1 the Authorization header has the secret'],
    breakWith: each(({ headers: { authorization: _authorization, ...headers } }) => ({ headers })),
  },
  {
    name: 'repeats the secret in the body',
    noticedBy: ['6.1 the Authorization header has the secret'],
    breakWith: each(({ headers, text }) => ({
      text: text.replace('{', `{"secret":"${headers['authorization'] ?? ''}",`),
    })),
  },
  {
    name: 'sends an Authorization header for a task without a secret',
    noticedBy: ['6.1 the Authorization header has the secret'],
    breakWith: each(({ headers }) => ({ headers: { authorization: 'Bearer undefined', ...headers } })),
  },
  metadata('actionTriggeredAt', '"2026-11-20T10:00:00+01:00"'),
  metadata('clientUrl', '"https://elsewhere.example"'),
  metadata('currentUser', '"viewer@acme.example"'),
  metadata('reportId', '"1042"'),
  metadata('reportName', '"Another report"'),
  metadata('tenancyName', '"globex"'),
  metadata('visualName', ''),
  {
    name: 'sends visuals without their rows',
    noticedBy: ['6.1 every visual'],
    breakWith: replacing(/"data":\[.*\]\}\]\}$/s, '"data":[]}]}'),
  },
  {
    name: 'omits the target of an identity',
    noticedBy: ['6.1 every visual has its ID'],
    breakWith: replacing(/"identity":\[\{"equals":("[^"]*"),"target":\{[^}]*\}/, '"identity":[{"equals":$1'),
  },
  {
    name: 'sends measures as text',
    noticedBy: ['6.1 every visual has its ID'],
    breakWith: replacing(/"value":(-?[\d.]+)/g, '"value":"$1"'),
  },
  {
    name: 'omits the aggregation of a measure',
    noticedBy: ['6.1 every visual has its ID'],
    breakWith: replacing(/"aggregationFunction":"[^"]*",?/g, ''),
  },
  {
    name: 'sends only the first of several rows',
    noticedBy: ['6.1 every visual has its ID'],
    breakWith: each(({ text }) => {
      const body = JSON.parse(text) as { visualData: { data: unknown[] }[] };
      for (const visual of body.visualData) visual.data = visual.data.slice(0, 1);
      return { text: JSON.stringify(body) };
    }),
  },
];

it.each(brokenWebhooks)('the checks detect a service that $name', async ({ noticedBy, breakWith }) => {
  const { target } = started();
  const chosen = checksOf(noticedBy);
  expect(await otherThan('as expected', target, chosen)).toEqual([]);
  const broken = { ...target, actions: breakWith(target.actions ?? []) };
  expect(await otherThan('differs', broken, chosen)).toEqual([]);
});
