import { describe } from 'vitest';
import { mintPath } from '../../../src/conformance/lib/createContext.ts';
import { type Fields, isFields } from '../../../src/conformance/lib/readers.ts';
import { authorizing, changing, correcting, isTo, made, otherValues, withJson } from './breakages.ts';
import { detectsServicesThat } from './detects.ts';

const mint = `POST ${mintPath}`;
const valueOf = (body: Fields): Fields => (isFields(body['value']) ? body['value'] : {});

const forAnyRole = correcting(mint, (body) => {
  const value = valueOf(body);
  return Array.isArray(value['roleNames'])
    ? { ...body, value: { ...value, roleNames: ['all-regions'] } }
    : body;
});

describe('the checks detect a CreateEncryptedKey that', () => {
  detectsServicesThat([
    {
      name: 'reports success with a wrong passphrase',
      noticedBy: ['4.6 CreateEncryptedKey with a wrong passphrase', '7 a refusal of CreateEncryptedKey'],
      breakage: correcting(mint, (body, { passPhrase }) => ({ ...body, passPhrase })),
    },
    {
      name: 'answers status 200 and success true without a key for a wrong passphrase',
      noticedBy: ['4.6 CreateEncryptedKey with a wrong passphrase'],
      breakage: {
        answer: (answer, request) =>
          isTo(request, mint) && answer.status === 500 && isFields(answer.json)
            ? { ...withJson(answer, { ...answer.json, success: true, error: null }), status: 200 }
            : answer,
      },
    },
    {
      name: 'accepts any API key',
      noticedBy: [
        '4.6 CreateEncryptedKey with another Authorization',
        '4.6 CreateEncryptedKey with an API key that lacks',
      ],
      breakage: authorizing(mint, ({ apiKey }) => ({ authorization: `ApiKey ${apiKey}` })),
    },
    {
      name: 'accepts the API key under any scheme',
      noticedBy: ['4.6 CreateEncryptedKey with another Authorization'],
      breakage: authorizing(mint, ({ apiKey }, { headers }) =>
        /not-a-key|^$/.test(headers['authorization'] ?? '') ? {} : { authorization: `ApiKey ${apiKey}` },
      ),
    },
    {
      name: 'accepts the API key of another tenant',
      noticedBy: ['4.6 CreateEncryptedKey with the API key of another tenant'],
      breakage: authorizing(mint, (target, { headers }) =>
        headers['authorization'] === `ApiKey ${target.secondTenant?.apiKey ?? ''}`
          ? { authorization: `ApiKey ${target.apiKey}` }
          : {},
      ),
    },
    {
      name: 'requires no tenant ID, and accepts any',
      noticedBy: ['4.6 CreateEncryptedKey with the ID of another tenant'],
      breakage: authorizing(mint, ({ tenantId }) => ({ 'svc.tenantid': String(tenantId) })),
    },
    {
      name: 'accepts any tenant name',
      noticedBy: [
        '4.6 CreateEncryptedKey with the name of another tenant',
        '4.6 CreateEncryptedKey without tenancyName',
      ],
      breakage: correcting(mint, (body, { tenancyName }) => ({ ...body, tenancyName })),
    },
    {
      name: 'creates keys for items of other tenants and for unknown items',
      noticedBy: [
        '4.6 CreateEncryptedKey for the report of another tenant',
        '4.6 CreateEncryptedKey for an item that does not exist',
      ],
      breakage: correcting(mint, (body, { itemId }) => ({
        ...body,
        value: { ...valueOf(body), reportId: itemId },
      })),
    },
    {
      name: 'creates keys for unknown users',
      noticedBy: ['4.6 CreateEncryptedKey without value.userId'],
      breakage: correcting(mint, (body) => ({ ...body, value: { ...valueOf(body), userId: 'nobody' } })),
    },
    {
      name: 'opens all rows for any role',
      noticedBy: ['4.6 keys with different roleNames open different rows'],
      breakage: forAnyRole,
    },
    {
      name: 'opens all rows for any role, and shows a random value, the time, the viewer and the roles',
      noticedBy: ['4.6 keys with different roleNames open different rows'],
      breakage: { ...forAnyRole, ...otherValues },
    },
    {
      name: 'opens the rows of the administrator for any viewer',
      noticedBy: ['4.6 keys for different viewers open the rows'],
      breakage: correcting(mint, (body) => ({
        ...body,
        value: { ...valueOf(body), userId: 'administrator@acme.example' },
      })),
    },
    {
      name: 'ignores the expiration',
      noticedBy: [
        '4.6 CreateEncryptedKey with an expiration that is not a time',
        '4.6 a key opens its report until value.expiration',
      ],
      breakage: correcting(mint, (body) => ({ ...body, value: { ...valueOf(body), expiration: undefined } })),
    },
    {
      name: 'halves the lifetime that the expiration asks for',
      noticedBy: ['4.6 a key opens its report until value.expiration'],
      breakage: correcting(mint, (body) => {
        const value = valueOf(body);
        const leftMs = Date.parse(String(value['expiration'])) - Date.now();
        const expiration = new Date(Date.now() + leftMs / 2);
        return { ...body, value: leftMs > 0 ? { ...value, expiration: expiration.toISOString() } : value };
      }),
    },
    {
      name: 'accepts a body of any type',
      noticedBy: ['4.6 CreateEncryptedKey without Content-Type'],
      breakage: authorizing(mint, () => ({ 'content-type': 'application/json' })),
    },
    {
      name: 'omits success from the envelope',
      noticedBy: ['4.6 CreateEncryptedKey is a POST and returns an envelope'],
      breakage: changing(mint, ({ success: _success, ...body }) => body),
    },
    {
      name: 'omits error from the envelope',
      noticedBy: ['4.6 CreateEncryptedKey is a POST and returns an envelope'],
      breakage: changing(mint, ({ error: _error, ...body }) => body),
    },
    {
      name: 'returns the key without its envelope',
      noticedBy: ['4.6 CreateEncryptedKey is a POST and returns an envelope'],
      breakage: changing(mint, (body) => body['result']),
    },
    {
      name: 'enforces the recommended lifetimes',
      noticedBy: ['4.6 value.roleNames and value.expiration are accepted'],
      breakage: {
        request: (request) => {
          const expiration = /"expiration":"([^"]+)"/.exec(request.body ?? '')?.[1] ?? '';
          const minutes = (Date.parse(expiration) - Date.now()) / 60_000;
          return minutes < 29 || minutes > 61
            ? made(400, { success: false, error: {}, result: null })
            : request;
        },
      },
    },
  ]);
});

describe('the checks detect a service that', () => {
  detectsServicesThat([
    {
      name: 'opens any report with any key',
      noticedBy: ['4.7 a key opens the report it was made for'],
      breakage: {
        request: (request, { itemId, otherItemId }) => ({
          ...request,
          url: request.url.replace(`/report/${otherItemId}`, `/report/${itemId}`),
        }),
      },
    },
    {
      name: 'opens a key under the URL of another tenant',
      noticedBy: ['4.7 a key opens nothing under the address of another tenant'],
      breakage: {
        request: (request, { tenantUrl, secondTenant }) => ({
          ...request,
          url: request.url.replace(secondTenant?.tenantUrl ?? '', tenantUrl),
        }),
      },
    },
    {
      name: 'shows the report with any key',
      noticedBy: ['4.7 without a key, with a text that is not a key'],
      breakage: {
        answer: (answer, request) =>
          isTo(request, 'GET /report/*')
            ? { ...answer, status: 200, text: '<!doctype html><html>A report</html>' }
            : answer,
      },
    },
    {
      name: 'forbids framing',
      noticedBy: ['4.7 the address of tenant'],
      breakage: {
        answer: (answer) => ({ ...answer, headers: { ...answer.headers, 'x-frame-options': 'DENY' } }),
      },
    },
    {
      name: 'returns a report as text',
      noticedBy: ['4.7 the address of tenant'],
      breakage: { answer: (answer) => ({ ...answer, headers: { 'content-type': 'text/plain' } }) },
    },
    {
      name: 'writes the passphrase into the page',
      noticedBy: ['4.7 the address of tenant'],
      breakage: {
        request: (request, { passPhrase }) => ({
          ...request,
          headers: { ...request.headers, 'x-broken': passPhrase },
        }),
        answer: (answer, request) => ({
          ...answer,
          text: `${answer.text}<!-- ${request.headers['x-broken']} -->`,
        }),
      },
    },
  ]);
});
