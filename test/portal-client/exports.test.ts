import * as portalClient from '@vitrine/portal-client';
import { expect, it } from 'vitest';

it('exports exactly these values from @vitrine/portal-client', () => {
  expect(Object.keys(portalClient).toSorted((one, other) => (one < other ? -1 : 1))).toEqual([
    'PortalError',
    'Secret',
    'auditRecordFields',
    'createItemResolver',
    'createPortalClient',
    'createRedactor',
    'fileJournal',
    'isAdministratorGain',
    'isAdministratorLoss',
    'isAllowed',
    'isComplete',
    'isDangerous',
    'isPortalError',
    'isRemoval',
    'isShortSecret',
    'isSignInRedirect',
    'knownExportNames',
    'memoryJournal',
    'organizationUnitTree',
    'parseAuditCheckpoint',
    'parsePortalConnection',
    'parseSyncPlan',
    'sourceFields',
    'targetOf',
    'usersFromCsv',
    'usersFromJson',
  ]);
});
