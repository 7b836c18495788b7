import type { MintRequest } from '../../../src/conformance/lib/createContext.ts';
import { describeAnswer, must, need } from '../../../src/conformance/lib/difference.ts';
import { isFields, mustSucceed } from '../../../src/conformance/lib/readers.ts';
import {
  type Choice,
  chosen,
  mustAnswer,
  mustAnswerList,
  mustAnswerResource,
  mustFail,
} from './expectations.ts';

const mintErrors: readonly (readonly [what: string, status: number, request: MintRequest])[] = [
  ['an unknown API key', 401, { headers: { Authorization: 'ApiKey not-a-key-of-this-tenant' } }],
  ['no API key', 401, { headers: { Authorization: undefined } }],
  ['an invalid body', 400, { value: { userId: undefined } }],
  ['an unknown item', 404, { value: { reportId: 2_147_480_000 } }],
  ['a wrong passphrase', 500, { body: { passPhrase: 'not the passphrase' } }],
];

const at = (offsetMs: number): string => new Date(Date.now() + offsetMs).toISOString();
const hourMs = 3_600_000;

export const errorChoices: readonly Choice[] = [
  chosen('7', 'errors of /v1 have code, message and requestId, and a validation error names the field', {
    gap: 'error body of /v1',
    run: async ({ admin }) => {
      mustFail(await admin('GET', '/v1/users/2147480000'), 404);
      const error = mustFail(
        await admin('POST', '/v1/roles', { body: { name: 7, type: 'RLS', code: 'x' } }),
        400,
      );
      must(Array.isArray(error['validationErrors']), 'validationErrors', error);
      must(JSON.stringify(error['validationErrors']).includes('name'), 'the name of the field', error);
    },
  }),
  chosen('7', 'without a valid key /v1 returns 401 and WWW-Authenticate', {
    gap: 'statuses',
    run: async ({ admin }) => {
      for (const authorization of [null, 'Bearer not-a-key-of-this-tenant']) {
        const answer = await admin('GET', '/v1/users', { authorization });
        mustFail(answer, 401);
        must(
          /bearer/i.test(answer.headers['www-authenticate'] ?? ''),
          'WWW-Authenticate: Bearer',
          answer.headers,
        );
      }
    },
  }),
  chosen('7', 'an unknown path returns 404', {
    gap: 'statuses',
    run: async ({ admin }) => void mustFail(await admin('GET', '/v1/no-such-thing'), 404),
  }),
  chosen('7', 'a key without permissions gets 403 from /v1', {
    gap: 'statuses',
    run: async ({ admin, target }) => {
      need(
        target.apiKeyWithoutPermissions !== undefined,
        'needs a key without permissions (VITRINE_API_KEY_WITHOUT_PERMISSIONS)',
      );
      mustFail(
        await admin('GET', '/v1/users', { authorization: `Bearer ${target.apiKeyWithoutPermissions}` }),
        403,
      );
    },
  }),
  chosen('7', 'a body of another type than JSON returns 415, one that is too large 413, truncated JSON 400', {
    gap: 'statuses',
    run: async ({ admin }) => {
      const post = (body: string, type = 'application/json') =>
        admin('POST', '/v1/roles', { body, headers: { 'content-type': type } });
      mustFail(await post('name=North', 'application/x-www-form-urlencoded'), 415);
      mustFail(await post('{"name": "half'), 400);
      mustFail(await post(JSON.stringify({ name: 'n'.repeat(4_000_000) })), 413);
    },
  }),
  ...mintErrors.map(([what, status, request]) =>
    chosen('7', `CreateEncryptedKey returns ${status} and the envelope for ${what}`, {
      gap: 'errors of CreateEncryptedKey',
      run: async ({ mint }) => {
        const answer = await mint(request);
        mustAnswer(answer, status);
        must(
          isFields(answer.json) && answer.json['success'] === false,
          'success false',
          describeAnswer(answer),
        );
        const { error, result, targetUrl, unAuthorizedRequest, __abp } = answer.json;
        must(isFields(error) && typeof error['message'] === 'string', 'an error with a message', error);
        must('code' in error && 'details' in error && 'validationErrors' in error, 'the whole error', error);
        must(result === null && targetUrl === null && __abp === true, 'the whole envelope', answer.json);
        must(
          unAuthorizedRequest === (status === 401),
          `unAuthorizedRequest ${status === 401}`,
          unAuthorizedRequest,
        );
      },
    }),
  ),
  chosen(
    '5',
    'a key with both permissions of 4.6 may use the administration API, and a 403 names the missing permission',
    {
      gap: 'which keys open /v1',
      run: async ({ admin, target }) => {
        for (const name of ['users', 'roles', 'organization-units', 'items', 'tasks', 'links', 'audit-logs'])
          mustAnswerResource(await admin('GET', `/v1/${name}`), 200);
        need(
          target.apiKeyWithoutPermissions !== undefined,
          'needs a key without permissions (VITRINE_API_KEY_WITHOUT_PERMISSIONS)',
        );
        const authorization = `Bearer ${target.apiKeyWithoutPermissions}`;
        const error = mustFail(await admin('GET', '/v1/links', { authorization }), 403);
        must(
          JSON.stringify(error).includes('Administration.Links'),
          'an error that names Administration.Links',
          error,
        );
      },
    },
  ),
  chosen('7', 'CreateEncryptedKey returns 403 for a key without the permissions', {
    gap: 'errors of CreateEncryptedKey',
    run: async ({ mint, target }) => {
      need(
        target.apiKeyWithoutPermissions !== undefined,
        'needs a key without permissions (VITRINE_API_KEY_WITHOUT_PERMISSIONS)',
      );
      mustAnswer(
        await mint({ headers: { Authorization: `ApiKey ${target.apiKeyWithoutPermissions}` } }),
        403,
      );
    },
  }),
  ...(
    [
      ['that is omitted is 60 minutes from now', undefined, hourMs],
      ['that is far away is clamped to 24 hours', 72 * hourMs, 24 * hourMs],
    ] as const
  ).map(([what, askedMs, lifetimeMs]) =>
    chosen('4.6', `an expiration ${what}`, {
      gap: 'expiration omitted; past; far',
      run: async ({ admin, mint }) => {
        const known = new Set(mustAnswerList(await admin('GET', '/v1/links')).items.map(({ id }) => id));
        mustSucceed(await mint({ value: { expiration: askedMs === undefined ? undefined : at(askedMs) } }));
        const link = mustAnswerList(await admin('GET', '/v1/links')).items.find(({ id }) => !known.has(id));
        const leftMs = Date.parse(String(link?.['expiresAt'])) - Date.now();
        must(
          Math.abs(leftMs - lifetimeMs) < 60_000,
          `${lifetimeMs / 60_000} minutes`,
          `${leftMs / 60_000} minutes`,
        );
      },
    }),
  ),
  chosen('4.6', 'an expiration in the past returns 400', {
    gap: 'expiration omitted; past; far',
    run: async ({ mint }) => mustAnswer(await mint({ value: { expiration: at(-60_000) } }), 400),
  }),
  chosen('4.6', 'the text of a key is base64 and holds characters that a URL must encode', {
    gap: "the key's text",
    run: async ({ mintKey }) => {
      const key = await mintKey();
      must(/^[A-Za-z0-9+/]+={0,2}$/.test(key), 'base64', 'another alphabet');
      must(/[+/=]/.test(key), 'one of + / =', 'a text that needs no encoding');
    },
  }),
  chosen('4.6', 'the tenant header is Svc.TenantId in any case, and no other name', {
    gap: 'tenant header',
    run: async ({ mint, target }) => {
      const named = (name: string) =>
        mint({ headers: { [target.tenantIdHeader]: undefined, [name]: String(target.tenantId) } });
      mustSucceed(await named('svc.tenantid'));
      mustAnswer(await named('Svc-TenantId'), 400);
    },
  }),
  chosen('4.6', 'a role that does not exist gets no key', {
    gap: 'RLS',
    run: async ({ mint, rls }) => {
      const { itemId } = await rls();
      const answer = await mint({ value: { reportId: itemId, roleNames: ['no-such-role'] } });
      must(answer.status >= 400, 'a refusal', describeAnswer(answer));
      must(
        isFields(answer.json) && answer.json['success'] === false,
        'success false',
        describeAnswer(answer),
      );
    },
  }),
];
