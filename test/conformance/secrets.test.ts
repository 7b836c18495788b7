import { createContext, runChecks } from '@vitrine/conformance';
import { expect, it } from 'vitest';
import { Difference, describe as describeSeen } from '../../src/conformance/lib/difference.ts';

const apiKey = 'k3y+Secret/Key=="pi';
const passPhrase = 'my passphrase "is" sécret/+&\\x';
const other = 'another "text" ü/+&\\x';
const tenant = {
  baseUrl: 'http://127.0.0.1:9',
  apiBaseUrl: 'http://127.0.0.1:9',
  tenantUrl: 'http://127.0.0.1:9',
  tenantId: 7,
  tenancyName: 'acme',
};
const target = {
  ...tenant,
  apiKey: 'first-key',
  passPhrase: 'first-phrase',
  tenantIdHeader: 'Svc.TenantId',
  permits: new Set(['read'] as const),
  secondTenant: { ...tenant, apiKey, passPhrase },
};

/** What the report says of an answer of the portal. */
const reported = async (answer: unknown): Promise<string> => {
  const check = {
    title: 'a check',
    effect: 'read',
    quote: '',
    run: () => Promise.reject(new Difference('a list', describeSeen(answer))),
  } as const;
  const [result] = await runChecks([check], createContext(target, 'run', AbortSignal.timeout(60_000)));
  const { finding } = result ?? {};
  return finding?.outcome === 'differs' ? finding.seen : String(finding?.outcome);
};

it.each<readonly [string, (text: string) => string]>([
  ['as it is', String],
  ['in JSON', (text) => JSON.stringify(text).slice(1, -1)],
  ['in a URL', encodeURIComponent],
  ['in a form', (text) => new URLSearchParams({ of: text }).toString().slice(3)],
  ['in lower case', (text) => encodeURIComponent(text).toLowerCase()],
  ['in Base64', (text) => Buffer.from(text).toString('base64')],
  ['in Base64url', (text) => Buffer.from(text).toString('base64url')],
])('the report shows no secret that the portal repeats %s; control: another text', async (_form, write) => {
  expect(await reported(`of ${write(apiKey)}, ${write(passPhrase)}, ${write(other)}.`)).toBe(
    `of [redacted], [redacted], ${write(other)}.`,
  );
});

it('the report shows no secret that the portal writes by the codes of its characters; control: another text', async () => {
  const coded = (text: string) =>
    text.replaceAll(/[^a-z0-9 ]/gi, (unit) => `\\u${unit.charCodeAt(0).toString(16).padStart(4, '0')}`);
  expect(await reported(`of ${coded(apiKey)}, ${coded(passPhrase)}, ${coded(other)}.`)).toBe(
    `of [redacted], [redacted], ${other}.`,
  );
});

it('the report shows no secret that ends after what is quoted', async () => {
  const before = 'q '.repeat(195);
  expect(await reported(`${before}${apiKey}`)).toBe(`${before}[redacted]`);
  // The control: the quotation ends here.
  expect(await reported(`${before}${other}`)).toBe(`${before}${other.slice(0, 10)}…`);
});
