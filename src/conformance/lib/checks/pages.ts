import { setTimeout } from 'node:timers/promises';
import { type Check, mints } from '../check.ts';
import { type CheckContext, unknownViewer } from '../createContext.ts';
import { must, needed } from '../difference.ts';
import { type Fields, mustSucceed } from '../readers.ts';
import type { Answer } from '../send.ts';

/** Throws if a page is the report page: the text is compared with that of the valid key. */
const mustNotOpen = (answer: Answer, valid: Answer, what: string): void => {
  const isSamePage = answer.status === valid.status && answer.text.length > 0.9 * valid.text.length;
  const isRefused = answer.status >= 400 || !isSamePage;
  must(isRefused, `no report for ${what}`, `status ${answer.status}, the same page`);
};

/** The words of the page of a report, without those that repeat the key or the values that it was created for. */
const openWords = async (
  { mintKey, openReport }: CheckContext,
  reportId: number,
  session: Fields,
): Promise<ReadonlySet<string>> => {
  const key = await mintKey({ value: { ...session, reportId } });
  const page = await openReport(reportId, key);
  mustSucceed(page, 'opening a report with row-level security');
  const text = [key, ...Object.values(session).flat().map(String)]
    .flatMap((name) => [name, encodeURIComponent(name)])
    .reduce((rest, name) => rest.replaceAll(name, ' '), page.text);
  return new Set(text.match(/[\p{L}\p{N}.]+/gu));
};

/**
 * Whether the pages of two sessions differ. The interface fixes no format of the page, so any word counts that both pages
 * of one session have and none of the other. They are opened in turn with keys that expire at the same time, so that
 * neither a random value nor a clock is such a word.
 */
const differ = async (context: CheckContext, one: Fields, other: Fields): Promise<boolean> => {
  const expiration = new Date(Date.now() + 1_800_000).toISOString();
  const reportId = await context.rlsItemId();
  const turnsByWord = new Map<string, string>();
  for (const [turn, session] of [one, other, one, other].entries())
    for (const word of await openWords(context, reportId, { ...session, expiration }))
      turnsByWord.set(word, `${turnsByWord.get(word) ?? ''}${turn}`);
  return [...turnsByWord.values()].some((turns) => turns === '02' || turns === '13');
};

const samePage = 'the same page. If it loads its rows later, compare them in a browser';

export const pageChecks: readonly Check[] = [
  mints(
    '4.7 the address of tenant, Item ID and key opens a page that may be framed and holds no secret',
    'The frontend builds an iframe whose src is {tenant_url}/report/<reportId>?ev=<ENCRYPTED_KEY>, where <reportId> is the Item ID and <ENCRYPTED_KEY> is result.key.',
    async ({ itemId, mintKey, openReport, target }) => {
      const { status, headers, text } = await openReport(await itemId(), await mintKey());
      must(status === 200, 'status 200', status);
      const { 'content-type': type = 'no type', 'x-frame-options': options } = headers;
      must(type.startsWith('text/html'), 'text/html', type);
      must(options === undefined, 'no X-Frame-Options', options);
      const policy = headers['content-security-policy'] ?? '';
      must(!/frame-ancestors '(?:none|self)' *(?:;|$)/.test(policy), 'a page that may be framed', policy);
      const isSafe = !text.includes(target.apiKey) && !text.includes(target.passPhrase);
      must(isSafe, 'neither the API key nor the passphrase in the page', 'a secret');
    },
  ),
  mints(
    '4.7 without a key, with a text that is not a key, and with a tampered key there is no report',
    'The service decrypts the key and renders the report.',
    async ({ itemId, mintKey, openReport }) => {
      const [id, key] = [await itemId(), await mintKey()];
      const valid = await openReport(id, key);
      const tampered = key.replace(/(?<=^.{12})./, (found) => (found === 'A' ? 'B' : 'A'));
      for (const text of [null, 'bm90IGEga2V5', tampered, key.slice(0, -4)])
        mustNotOpen(await openReport(id, text), valid, 'no key, or another text');
    },
  ),
  mints(
    '4.7 a key opens the report it was made for and no other',
    '1: obtain an encrypted key for one user and one report',
    async ({ itemId, otherItemId, mintKey, openReport }) => {
      const key = await mintKey();
      const valid = await openReport(await itemId(), key);
      mustNotOpen(await openReport(await otherItemId(), key), valid, 'another report');
    },
  ),
  mints(
    '4.7 a key opens nothing under the address of another tenant',
    '0: Embedded reports are opened under {tenant_url}.',
    async ({ itemId, mintKey, openReport, secondTenant }) => {
      const [id, key] = [await itemId(), await mintKey()];
      mustNotOpen(await openReport(id, key, secondTenant()), await openReport(id, key), 'another tenant');
    },
  ),
  mints(
    '4.6 a key opens its report until value.expiration and not after it',
    '| value.expiration | string, ISO 8601 timestamp | no | Expiry of the encrypted key;',
    async ({ itemId, mintKey, openReport, signal }) => {
      const expiresAtMs = Date.now() + 3_500;
      const id = await itemId();
      const key = await mintKey({ value: { expiration: new Date(expiresAtMs).toISOString() } });
      await setTimeout(expiresAtMs - 1_500 - Date.now(), undefined, { signal });
      const valid = await openReport(id, key);
      mustSucceed(valid, 'opening the report before the key expires');
      await setTimeout(expiresAtMs + 1_000 - Date.now(), undefined, { signal });
      mustNotOpen(await openReport(id, key), valid, 'an expired key');
    },
  ),
  mints(
    '4.6 keys with different roleNames open different rows of a report',
    'obtains an embed token for the BI platform with the RLS context',
    async (context) => {
      const { roleName, otherRoleName } = context.target;
      const what = 'two RLS roles with different rows (--role-name, --other-role-name)';
      const [one, other] = [needed(roleName, what), needed(otherRoleName, what)];
      const isOther = await differ(context, { roleNames: [one] }, { roleNames: [other] });
      must(isOther, `other rows for the role ${one} than for ${other}`, samePage);
    },
  ),
  mints(
    '4.6 keys for different viewers open the rows of their own viewer',
    '| value.userId | string | yes | Identity of the viewing user; passed to the BI platform and used by DAX functions such as USERNAME() and USERPRINCIPALNAME() for dynamic RLS |',
    async (context) => {
      const what = 'a user with rows of their own, by a rule with USERNAME() (--viewer)';
      const viewer = needed(context.target.viewer, what);
      for (const roleNames of [[], ...(await context.roleCodes()).map((code) => [code])])
        if (await differ(context, { roleNames }, { roleNames, userId: viewer })) return;
      must(false, `other rows for ${viewer} than for ${unknownViewer}, with any role`, samePage);
    },
  ),
];
