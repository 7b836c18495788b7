import * as portalClient from '@vitrine/portal-client';
import { expect, it } from 'vitest';

it('exports exactly these values from @vitrine/portal-client', () => {
  expect(Object.keys(portalClient).toSorted((one, other) => (one < other ? -1 : 1))).toEqual([
    'PortalError',
    'Secret',
    'createItemResolver',
    'createKeyMinter',
    'createPortalClient',
    'createRedactor',
    'emailKey',
    'fileJournal',
    'isComplete',
    'isDangerous',
    'isPortalError',
    'isRemoval',
    'memoryJournal',
    'mintHint',
    'organizationUnitTree',
    'parseAuditCheckpoint',
    'parsePortalConnection',
    'parseSyncPlan',
    'usersFromCsv',
    'usersFromJson',
  ]);
});
