import { setTimeout } from 'node:timers/promises';
import { type Check, stated } from '../check.ts';
import { describe, must, need } from '../difference.ts';
import { mustSucceed } from '../readers.ts';
import type { Answer } from '../send.ts';

const opens = 'The service decrypts the key and renders the report.';
const address =
  'The frontend builds an iframe whose src is {tenant_url}/report/<reportId>?ev=<ENCRYPTED_KEY>, where <reportId> is the Item ID and <ENCRYPTED_KEY> is result.key.';

/** Throws if a page is the report page: the text is compared with that of the valid key. */
const mustNotOpen = (answer: Answer, valid: Answer, what: string): void => {
  const isSamePage = answer.status === valid.status && answer.text.length > 0.9 * valid.text.length;
  must(
    answer.status >= 400 || !isSamePage,
    `no report for ${what}`,
    `status ${answer.status}, a page as with a valid key`,
  );
};

/** Changes one character in the middle of a key. */
const tamper = (key: string): string => {
  const at = Math.floor(key.length / 2);
  return `${key.slice(0, at)}${key[at] === 'A' ? 'B' : 'A'}${key.slice(at + 1)}`;
};

export const reportPageChecks: readonly Check[] = [
  stated('4.7', 'the address of tenant, Item ID and key opens a page with the report', {
    effect: 'mint',
    quotes: [
      address,
      opens,
      "1: The application's frontend then renders the report in an iframe on {tenant_url}.",
      '0: Embedded reports are opened under {tenant_url}.',
    ],
    run: async ({ itemId, mintKey, openReport }) => {
      const answer = await openReport(await itemId(), await mintKey());
      must(answer.status === 200, 'status 200', answer.status);
      must(
        answer.headers['content-type']?.startsWith('text/html') === true,
        'text/html',
        answer.headers['content-type'],
      );
      must(/<html|<!doctype/i.test(answer.text), 'a page', describe(answer.text.slice(0, 80)));
    },
  }),
  stated('4.7', 'the page may be shown in the iframe of another origin', {
    effect: 'mint',
    quotes: [
      'The frontend builds an iframe',
      'The reference markup uses width 100%, height 800px, frameborder 0 and allowfullscreen true.',
    ],
    run: async ({ itemId, mintKey, openReport }) => {
      const { headers } = await openReport(await itemId(), await mintKey());
      must(headers['x-frame-options'] === undefined, 'no X-Frame-Options', headers['x-frame-options']);
      const ancestors = /frame-ancestors ([^;]*)/.exec(headers['content-security-policy'] ?? '')?.[1]?.trim();
      must(
        !["'none'", "'self'"].includes(ancestors ?? ''),
        'frame-ancestors that admit applications',
        ancestors,
      );
    },
  }),
  stated('4.7', 'without a key, with a text that is not a key, and with a tampered key there is no report', {
    effect: 'mint',
    quotes: [opens],
    run: async ({ itemId, mintKey, openReport }) => {
      const [id, key] = [await itemId(), await mintKey()];
      const valid = await openReport(id, key);
      mustNotOpen(await openReport(id, null), valid, 'no key');
      mustNotOpen(await openReport(id, 'bm90IGEga2V5'), valid, 'a text that is not a key');
      mustNotOpen(await openReport(id, tamper(key)), valid, 'a tampered key');
      mustNotOpen(await openReport(id, key.slice(0, -4)), valid, 'a truncated key');
    },
  }),
  stated('4.6', 'a key opens its report until value.expiration and not after it', {
    effect: 'mint',
    quotes: [
      '| value.expiration | string, ISO 8601 timestamp | no | Expiry of the encrypted key; when omitted a platform default applies |',
    ],
    run: async ({ itemId, mintKey, openReport, signal }) => {
      const expiresAtMs = Date.now() + 3_500;
      const id = await itemId();
      const key = await mintKey({ value: { expiration: new Date(expiresAtMs).toISOString() } });
      // The clocks of two machines differ.
      await setTimeout(expiresAtMs - 1_500 - Date.now(), undefined, { signal });
      const valid = await openReport(id, key);
      mustSucceed(valid, 'opening the report before the key expires');
      await setTimeout(expiresAtMs + 1_000 - Date.now(), undefined, { signal });
      mustNotOpen(await openReport(id, key), valid, 'an expired key');
    },
  }),
  stated('4.7', 'a key opens the report it was made for and no other', {
    effect: 'mint',
    quotes: [address, '1: obtain an encrypted key for one user and one report'],
    run: async ({ itemId, otherItemId, mintKey, openReport }) => {
      const key = await mintKey();
      mustNotOpen(
        await openReport(await otherItemId(), key),
        await openReport(await itemId(), key),
        'another report',
      );
    },
  }),
  stated('4.7', 'a key opens nothing under the address of another tenant', {
    effect: 'mint',
    quotes: ['0: Embedded reports are opened under {tenant_url}.'],
    run: async ({ itemId, mintKey, openReport, target }) => {
      need(target.secondTenant !== undefined, 'needs a second tenant (VITRINE_SECOND_…)');
      const [id, key] = [await itemId(), await mintKey()];
      mustNotOpen(
        await openReport(id, key, target.secondTenant),
        await openReport(id, key),
        'another tenant',
      );
    },
  }),
  stated('4.6', 'every key is for its own user: two users get two keys', {
    effect: 'mint',
    quotes: ['| value.userId | string | yes | Identity of the viewing user;'],
    run: async ({ mintKey }) => {
      const keys = [
        await mintKey({ value: { userId: 'first@viewer.example' } }),
        await mintKey({ value: { userId: 'second@viewer.example' } }),
      ];
      must(keys[0] !== keys[1], 'different keys', 'the same key twice');
    },
  }),
  stated('5', 'the report page contains neither the API key nor the passphrase', {
    effect: 'mint',
    quotes: [
      'The API key and the Tenant passphrase must only be used on a server and never in client-side code.',
      '4.6: Call it only from a backend server.',
    ],
    run: async ({ itemId, mint, mintKey, openReport, target }) => {
      const answer = await mint();
      mustSucceed(answer);
      for (const text of [answer.text, (await openReport(await itemId(), await mintKey())).text])
        for (const secret of [target.apiKey, target.passPhrase])
          must(!text.includes(secret), 'no secret in what reaches the browser', 'a secret');
    },
  }),
];
