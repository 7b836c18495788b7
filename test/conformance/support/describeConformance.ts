import { beforeAll, describe, expect, it } from 'vitest';
import { type Check, titleOf } from '../../../src/conformance/lib/check.ts';
import { checks } from '../../../src/conformance/lib/checks/checks.ts';
import { type CheckContext, createContext } from '../../../src/conformance/lib/createContext.ts';
import { runCheck } from '../../../src/conformance/lib/runCheck.ts';
import { sharedPortal } from './sharedPortal.ts';

const named = (group: readonly Check[]) => group.map((check) => [titleOf(check), check] as const);

const tests = named(checks);

/** Runs every check as a test against a portal in this process, over HTTP; none may be skipped. */
export const describeConformance = (database: string): void => {
  const started = sharedPortal(database);
  let context: CheckContext;
  beforeAll(() => {
    context = createContext(started().target, 'portal');
  });

  describe('statements of the interface', () => {
    it.each(tests.filter(([, { basis }]) => basis === 'interface'))('%s', async (_title, check) => {
      expect((await runCheck(check, context)).finding).toEqual({ outcome: 'as expected' });
    });
  });
  describe('our choices where the interface is silent', () => {
    it.each(tests.filter(([, { basis }]) => basis === 'choice'))('%s', async (_title, check) => {
      expect((await runCheck(check, context)).finding).toEqual({ outcome: 'as expected' });
    });
  });
};
