import { describe, expect, it, onTestFinished } from 'vitest';
import { rowSecurityChecks } from '../../src/cli/lib/conformance/checks/rowSecurityChecks.ts';
import { createContext, mintPath } from '../../src/cli/lib/conformance/createContext.ts';
import { isFields } from '../../src/cli/lib/conformance/readers.ts';
import { runChecks } from '../../src/cli/lib/conformance/runCheck.ts';
import { correcting, isTo, otherValues } from './controls/breakages.ts';
import { type Breakage, startBrokenService } from './controls/startBrokenService.ts';
import { sharedPortal } from './support/sharedPortal.ts';

const started = sharedPortal();

/** The findings for roles and for viewers, of a run to which nobody names any. */
const find = async (breakage: Breakage) => {
  const { target, close } = await startBrokenService(started().target, breakage);
  onTestFinished(close);
  const { rlsItemId: _item, roleName: _role, otherRoleName: _other, viewer: _viewer, ...rest } = target;
  const results = await runChecks(rowSecurityChecks, createContext(rest, 'rows'));
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

/** Refuses keys with the first roles of the list. */
const refusing: Breakage = {
  request: (request) =>
    /region-(north|south)/.test(request.body ?? '')
      ? { status: 403, headers: {}, text: '', json: undefined }
      : request,
};

describe('the checks of row-level security', () => {
  it.each([
    ['the portal', {}],
    ['a portal whose pages have values that change', otherValues],
    ['a portal that refuses some roles', refusing],
  ])('find roles and viewers with different rows in %s', async (_name, breakage) => {
    expect(await find(breakage)).toEqual(['as expected', 'as expected']);
  });

  it.each([
    ['a portal that ignores roleNames and userId', ignoring],
    ['a page that loads its rows later', emptyPage],
  ])('say what to name and to compare for %s', async (_name, breakage) => {
    expect(await find(breakage)).toEqual([
      expect.stringMatching(
        /^needs two RLS roles .* \(--role-name, --other-role-name\)\. .* region-north, region-south, .* ignores roleNames\./,
      ),
      expect.stringMatching(/^needs a user .* \(--viewer\)\. .* 5 users .* ignores userId\./),
    ]);
  });
});
