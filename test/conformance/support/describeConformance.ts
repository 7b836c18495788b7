import { type CheckContext, checks, createContext, runChecks } from '@vitrine/conformance';
import { beforeAll, expect, it } from 'vitest';
import { sharedPortal } from './sharedPortal.ts';

/** Runs every check as a test against a portal in this process, over HTTP; none may be skipped. */
export const describeConformance = (database: string): void => {
  const started = sharedPortal(database);
  let context: CheckContext;
  beforeAll(() => {
    context = createContext(started().target, 'portal');
  });
  it.each(checks)('$title', async (check) => {
    const [result] = await runChecks([check], context);
    expect(result?.finding).toEqual({ outcome: 'as expected' });
  });
};
