import { type Check, stated } from '../check.ts';
import { mintPath } from '../createContext.ts';
import { describeAnswer, must } from '../difference.ts';
import { isFields, mustSucceed } from '../readers.ts';
import { verifies } from './embeddingAccessChecks.ts';
import { mustRefuseKey } from './embeddingFieldChecks.ts';

const inOneHour = () => new Date(Date.now() + 3_600_000).toISOString();

export const embeddingChecks: readonly Check[] = [
  stated('4.6', 'CreateEncryptedKey returns an envelope: result.key, success true, error null', {
    effect: 'mint',
    quotes: [
      'POST {api_base_url}/api/services/app/ItemLinks/CreateEncryptedKey.',
      'Response body: an envelope with result (object with key: string, the encrypted key), success (boolean) and error (null on success).',
      verifies,
      '5: | Encrypted key endpoint | Authorization header with scheme ApiKey and the key; Svc.TenantId header; passPhrase and tenancyName in the body; the key needs the permissions listed in 4.6 |',
      '1: The embedding interface lets a backend server of a third-party application obtain an encrypted key for one user and one report, with optional row-level-security (RLS) roles.',
      '7: The encrypted key endpoint answers with an envelope holding success (boolean) and error (null on success).',
    ],
    run: async ({ mint }) => {
      const answer = await mint();
      mustSucceed(answer, 'creating a key');
      const body = answer.json;
      must(isFields(body) && isFields(body['result']), 'an envelope with a result', Object.keys(body ?? {}));
      const key = body['result']['key'];
      must(typeof key === 'string' && key.length > 0, 'a key that is text', typeof key);
      must(body['success'] === true, 'success true', body['success']);
      must(body['error'] === null, 'error null', body['error']);
    },
  }),
  stated('4.6', 'CreateEncryptedKey accepts roleNames and expiration', {
    effect: 'mint',
    quotes: [
      '| value.roleNames | array of string | no |',
      '| value.expiration | string, ISO 8601 timestamp | no | Expiry of the encrypted key; when omitted a platform default applies |',
    ],
    run: async ({ mint, rls }) => {
      const { itemId, roleName } = await rls();
      const value = { reportId: itemId, roleNames: [roleName], expiration: inOneHour() };
      mustSucceed(await mint({ value }), 'both are given');
    },
  }),
  stated('4.6', 'value.roleNames is not required, also for a report with row-level security', {
    effect: 'mint',
    quotes: ['| value.roleNames | array of string | no |', '1: with optional row-level-security (RLS) roles'],
    run: async ({ itemId, mintKey, openReport, rls }) => {
      for (const reportId of [await itemId(), (await rls()).itemId])
        for (const roleNames of [undefined, []]) {
          const key = await mintKey({ value: { reportId, roleNames } });
          mustSucceed(await openReport(reportId, key), `report ${reportId} opened without roles`);
        }
    },
  }),
  stated('4.6', 'value.expiration is not required', {
    effect: 'mint',
    quotes: [
      '| value.expiration | string, ISO 8601 timestamp | no |',
      'when omitted a platform default applies',
    ],
    run: async ({ mint }) => mustSucceed(await mint({ value: { expiration: undefined } })),
  }),
  stated('4.6', 'CreateEncryptedKey needs Content-Type application/json', {
    effect: 'mint',
    quotes: ['| Content-Type | application/json |'],
    run: async ({ mint }) => {
      for (const type of ['text/plain', undefined])
        mustRefuseKey(
          await mint({ headers: { 'Content-Type': type } }),
          `Content-Type ${type ?? 'left out'}`,
        );
    },
  }),
  stated('4.6', 'CreateEncryptedKey is a POST: a GET returns no key', {
    effect: 'read',
    quotes: ['POST {api_base_url}/api/services/app/ItemLinks/CreateEncryptedKey.'],
    run: async ({ admin, target }) => {
      const answer = await admin('GET', mintPath, {
        authorization: `ApiKey ${target.apiKey}`,
        headers: { [target.tenantIdHeader]: String(target.tenantId) },
        tenant: { ...target, baseUrl: target.apiBaseUrl },
      });
      mustRefuseKey(answer, 'a GET');
    },
  }),
  stated('7', 'a refusal of CreateEncryptedKey is an envelope with success false and an error', {
    effect: 'mint',
    quotes: [
      'The encrypted key endpoint answers with an envelope holding success (boolean) and error (null on success).',
    ],
    run: async ({ mint, target }) => {
      for (const answer of [
        await mint({ body: { passPhrase: 'not the passphrase' } }),
        await mint({ value: { userId: undefined } }),
        await mint({ headers: { Authorization: 'ApiKey not-a-key-of-this-tenant' } }),
        await mint({ headers: { [target.tenantIdHeader]: undefined } }),
      ]) {
        must(isFields(answer.json), 'an envelope', describeAnswer(answer));
        must(answer.json['success'] === false, 'success false', describeAnswer(answer));
        must(answer.json['error'] !== null && 'error' in answer.json, 'an error', describeAnswer(answer));
      }
    },
  }),
  ...(
    [
      ['two minutes', 120_000],
      ['three hours', 10_800_000],
    ] as const
  ).map(([text, lifetimeMs]) =>
    stated('8', `a lifetime of ${text} is accepted: 30 to 60 minutes are advice`, {
      effect: 'mint',
      quotes: [
        '| Recommended key lifetime | 30 to 60 minutes for external-facing applications (advice, not enforced) | encrypted key expiration |',
      ],
      run: async ({ mint }) =>
        mustSucceed(await mint({ value: { expiration: new Date(Date.now() + lifetimeMs).toISOString() } })),
    }),
  ),
  stated('9', 'the encrypted key endpoint has no version segment in its path', {
    effect: 'mint',
    quotes: ['The encrypted key endpoint has no version segment in its path.'],
    run: async ({ mint, target }) => {
      mustSucceed(await mint());
      const tenant = { ...target, apiBaseUrl: `${target.apiBaseUrl.replace(/\/+$/, '')}/v1` };
      mustRefuseKey(await mint({ tenant }), 'the path with /v1');
    },
  }),
];
