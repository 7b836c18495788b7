import * as contract from '@vitrine/contract';
import * as schema from '@vitrine/contract/schema';
import { expect, it } from 'vitest';

it('exports exactly these values from @vitrine/contract', () => {
  expect(Object.keys(contract).sort()).toEqual([
    'actionsPath',
    'apiKeyHeader',
    'auditActionTypes',
    'checkWebUrl',
    'createEncryptedKeyPath',
    'defaultEndpoint',
    'defaultPageSize',
    'documentationUrl',
    'emailKey',
    'flattenRow',
    'isEmailAddress',
    'isItemId',
    'isProblemCode',
    'isWebUrl',
    'keysPath',
    'maxEmailLength',
    'maxKeyLifetimeMs',
    'maxPageSize',
    'maxRlsRoles',
    'minKeyLifetimeMs',
    'mintPermissions',
    'pollParameter',
    'problemCodes',
    'problemMediaType',
    'quoteText',
    'reportUrl',
    'requestMarkerHeader',
    'roleTypes',
    'rootOrganizationUnitId',
    'tenantIdHeader',
    'userTypes',
    'waitedParameter',
    'webhookPath',
  ]);
});

it('exports exactly these values from @vitrine/contract/schema', () => {
  expect(Object.keys(schema)).toEqual(['embedKeyRequestSchema']);
});
