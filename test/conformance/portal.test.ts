import { type CheckContext, checks, createContext, runChecks } from '@vitrine/conformance';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { testDatabases } from '../portal/databases.ts';
import { fillAuditLog, sharedPortal } from './support/sharedPortal.ts';

describe.each(await testDatabases('conformance'))('the portal on $name', ({ address, drop }) => {
  const started = sharedPortal(address, { hasActions: true });
  let context: CheckContext;
  beforeAll(async () => {
    const { target } = started();
    await fillAuditLog(target);
    context = createContext(target, 'portal');
  });
  afterAll(drop);

  // None may be skipped.
  it.each(checks)('$title', async (check) => {
    const [result] = await runChecks([check], context);
    expect(result?.finding).toEqual({ outcome: 'as expected' });
  });
});
