import { type Check, stated } from '../check.ts';
import { need } from '../difference.ts';
import { mustRefuseKey } from './embeddingFieldChecks.ts';

/** A sentence of docs/interface.md#4.6 that checks of two files quote. */
export const verifies =
  'Behavior: the service verifies the API key and passphrase, obtains an embed token for the BI platform with the RLS context, and returns the encrypted key.';
const permissions =
  'The API key must hold the permissions Administration.ItemLinks.BiItems and Administration.BiReports.Create.';

/** Which credentials and which tenant a key request needs. */
export const embeddingAccessChecks: readonly Check[] = [
  stated('4.6', 'CreateEncryptedKey with an API key that does not exist is refused', {
    effect: 'mint',
    quotes: [
      verifies,
      '| Authorization | ApiKey <API_KEY> |',
      '5: | Encrypted key endpoint | Authorization header with scheme ApiKey and the key;',
    ],
    run: async ({ mint }) =>
      mustRefuseKey(
        await mint({ headers: { Authorization: 'ApiKey not-a-key-of-this-tenant' } }),
        'an unknown API key',
      ),
  }),
  stated('4.6', 'CreateEncryptedKey with the API key under another scheme is refused', {
    effect: 'mint',
    quotes: [
      '| Authorization | ApiKey <API_KEY> |',
      '5: | Encrypted key endpoint | Authorization header with scheme ApiKey and the key;',
    ],
    run: async ({ mint, target: { apiKey } }) => {
      for (const [what, Authorization] of [
        ['the API key as a Bearer token', `Bearer ${apiKey}`],
        ['the API key under the scheme Basic', `Basic ${apiKey}`],
        ['the API key without a scheme', apiKey],
      ] as const)
        mustRefuseKey(await mint({ headers: { Authorization } }), what);
    },
  }),
  stated('4.6', 'CreateEncryptedKey with a wrong passphrase is refused and returns no key', {
    effect: 'mint',
    quotes: [
      verifies,
      "| passPhrase | string | yes | The Tenant's secret passphrase (<TENANT_PASSPHRASE>) |",
    ],
    run: async ({ mint, target }) => {
      for (const passPhrase of [
        'not the passphrase',
        '',
        target.passPhrase.slice(0, -1),
        `${target.passPhrase} `,
      ])
        mustRefuseKey(await mint({ body: { passPhrase } }), 'a wrong passphrase');
    },
  }),
  stated('4.6', 'CreateEncryptedKey without the Authorization header is refused', {
    effect: 'mint',
    quotes: ['Required headers:', '| Authorization | ApiKey <API_KEY> |'],
    run: async ({ mint }) =>
      mustRefuseKey(await mint({ headers: { Authorization: undefined } }), 'no Authorization'),
  }),
  stated('4.6', 'CreateEncryptedKey without the tenant ID header is refused', {
    effect: 'mint',
    quotes: ['Required headers:', '| Svc.TenantId | Numeric ID of the Tenant that scopes the request |'],
    run: async ({ mint, target }) =>
      mustRefuseKey(await mint({ headers: { [target.tenantIdHeader]: undefined } }), 'no tenant ID'),
  }),
  stated('4.6', 'CreateEncryptedKey with the ID of another tenant is refused', {
    effect: 'mint',
    quotes: ['| Svc.TenantId | Numeric ID of the Tenant that scopes the request |'],
    run: async ({ mint, target }) => {
      for (const number of [String(target.secondTenant?.tenantId ?? target.tenantId + 1), 'acme', '0', '-1'])
        mustRefuseKey(await mint({ headers: { [target.tenantIdHeader]: number } }), `tenant ID ${number}`);
    },
  }),
  stated('4.6', 'CreateEncryptedKey with the name of another tenant is refused', {
    effect: 'mint',
    quotes: ['| tenancyName | string | yes | Tenant subdomain name |'],
    run: async ({ mint, target, unique }) =>
      mustRefuseKey(
        await mint({ body: { tenancyName: target.secondTenant?.tenancyName ?? unique('nobody') } }),
        'the name of another tenant',
      ),
  }),
  stated('4.6', 'CreateEncryptedKey with the API key of another tenant is refused', {
    effect: 'mint',
    quotes: [
      '1: The service is a multi-tenant analytics portal',
      'Numeric ID of the Tenant that scopes the request',
    ],
    run: async ({ mint, target }) => {
      need(target.secondTenant !== undefined, 'needs a second tenant (VITRINE_SECOND_…)');
      const Authorization = `ApiKey ${target.secondTenant.apiKey}`;
      mustRefuseKey(await mint({ headers: { Authorization } }), 'the API key of another tenant');
    },
  }),
  stated('4.6', 'CreateEncryptedKey for the report of another tenant is refused', {
    effect: 'mint',
    quotes: [
      '| value.reportId | number | yes | Item ID of the report to embed |',
      '1: Each Tenant has users, roles, organizational units (OUs) and items',
    ],
    run: async ({ admin, mint, target }) => {
      need(target.secondTenant !== undefined, 'needs a second tenant (VITRINE_SECOND_…)');
      const answer = await admin('GET', '/v1/items', { tenant: target.secondTenant });
      const ids = JSON.stringify(answer.json).match(/"id":(\d+)/g) ?? [];
      need(ids.length > 0, 'needs an item of the second tenant');
      for (const id of ids)
        mustRefuseKey(
          await mint({ value: { reportId: Number(id.slice(5)) } }),
          `item ${id} of another tenant`,
        );
    },
  }),
  stated('4.6', 'CreateEncryptedKey for an item that does not exist is refused', {
    effect: 'mint',
    quotes: ['Item ID of the report to embed'],
    run: async ({ mint }) =>
      mustRefuseKey(await mint({ value: { reportId: 2_147_480_000 } }), 'an unknown item'),
  }),
  stated('4.6', 'CreateEncryptedKey with an API key that lacks the two permissions is refused', {
    effect: 'mint',
    quotes: [permissions, '5: the key needs the permissions listed in 4.6'],
    run: async ({ mint, target }) => {
      need(
        target.apiKeyWithoutPermissions !== undefined,
        'needs a key without permissions (VITRINE_API_KEY_WITHOUT_PERMISSIONS)',
      );
      const Authorization = `ApiKey ${target.apiKeyWithoutPermissions}`;
      mustRefuseKey(await mint({ headers: { Authorization } }), 'a key without the permissions');
    },
  }),
];
