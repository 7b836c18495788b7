import * as portalClient from '@vitrine/portal-client';
import { expect, it } from 'vitest';

it('exports exactly these values from @vitrine/portal-client', () => {
  expect(Object.keys(portalClient).toSorted((one, other) => (one < other ? -1 : 1))).toEqual([
    'PortalError',
    'Secret',
    'connectionAdvice',
    'createPortalClient',
    'createRedactor',
    'createSecretMask',
    'isAllowed',
    'isPortalError',
    'isSignInRedirect',
    'knownExportNames',
    'parseAuditCheckpoint',
    'parsePortalConnection',
    'parseSyncPlan',
    'rememberSecret',
    'sourceFields',
    'targetOf',
    'usersFromCsv',
    'usersFromJson',
  ]);
});
