import { checks, createContext, runChecks, type Target } from '@vitrine/conformance';
import { describe, expect, it, onTestFinished } from 'vitest';
import { mintPath } from '../../src/conformance/lib/createContext.ts';
import { isFields } from '../../src/conformance/lib/readers.ts';
import { correcting, isTo, otherValues } from './controls/breakages.ts';
import { type Breakage, startBrokenService } from './controls/startBrokenService.ts';
import { sharedPortal } from './support/sharedPortal.ts';

const started = sharedPortal();
const rowChecks = checks.filter(({ title }) =>
  /^4\.6 keys (?:with different roleNames|for different)/.test(title),
);

const find = async (breakage: Breakage, change: Partial<Target> = {}) => {
  const { target, close } = await startBrokenService(started().target, breakage);
  onTestFinished(close);
  const results = await runChecks(rowChecks, createContext({ ...target, ...change }, 'rows'));
  return results.map(({ finding }) => ('reason' in finding ? finding.reason : finding.outcome));
};

const ignoring = correcting(`POST ${mintPath}`, (body) => ({
  ...body,
  value: {
    ...(isFields(body['value']) ? body['value'] : {}),
    roleNames: ['all-regions'],
    userId: 'administrator@acme.example',
  },
}));

const emptyPage: Breakage = {
  answer: (answer, request, ask) =>
    isTo(request, 'GET /report/*') && answer.status === 200
      ? (otherValues.answer?.({ ...answer, text: '<html>' }, request, ask) ?? answer)
      : answer,
};

describe('the checks of row-level security', () => {
  it.each([
    ['the portal', {}],
    ['a portal whose pages have values that change', otherValues],
  ])('see that the named roles and the named viewer have their own rows in %s', async (_name, breakage) => {
    expect(await find(breakage)).toEqual(['as expected', 'as expected']);
  });

  it.each([
    ['a portal that ignores roleNames and userId', ignoring],
    ['a page that loads its rows later', emptyPage],
  ])('see the same rows in %s', async (_name, breakage) => {
    expect(await find(breakage)).toEqual(['differs', 'differs']);
  });

  it('say what to name', async () => {
    expect(await find({}, { otherRoleName: undefined, viewer: undefined })).toEqual([
      'needs two RLS roles with different rows (--role-name, --other-role-name)',
      'needs a user with rows of their own, by a rule with USERNAME() (--viewer)',
    ]);
  });
});
