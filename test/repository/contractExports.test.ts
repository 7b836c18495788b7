import * as contract from '@vitrine/contract';
import * as service from '@vitrine/contract/service';
import * as schema from '@vitrine/contract/service/schemas';
import { expect, it } from 'vitest';

it('exports exactly these values from @vitrine/contract', () => {
  expect(Object.keys(contract).sort()).toEqual([
    'actionsPath',
    'checkWebUrl',
    'defaultEndpoint',
    'documentationUrl',
    'flattenRow',
    'isItemId',
    'isProblemCode',
    'isWebUrl',
    'itemsPath',
    'keysPath',
    'maxKeyLifetimeMs',
    'minKeyLifetimeMs',
    'problemCodes',
    'problemMediaType',
    'quoteText',
    'reportUrl',
    'requestMarkerHeader',
    'webhookPath',
    'withoutFormulas',
  ]);
});

it('exports exactly these values from @vitrine/contract/service', () => {
  expect(Object.keys(service).sort()).toEqual([
    'addressText',
    'administrationKeyHeader',
    'checkOptions',
    'createEncryptedKeyPath',
    'defaultPageSize',
    'emailKey',
    'embeddingKeyHeader',
    'explain',
    'fillSentence',
    'isEmailAddress',
    'kindOf',
    'maxPageSize',
    'maxRlsRoles',
    'mintPermissions',
    'nearestName',
    'resources',
    'roleTypes',
    'rootOrganizationUnitId',
    'serviceRoutes',
    'settings',
    'tenantIdHeader',
    'userTypes',
    'valueText',
  ]);
});

it('exports exactly these values from @vitrine/contract/service/schemas', () => {
  expect(Object.keys(schema).sort()).toEqual([
    'changeSchema',
    'createSchema',
    'fieldSchema',
    'rowSchema',
    'visible',
  ]);
});
