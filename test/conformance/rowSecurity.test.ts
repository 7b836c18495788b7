import { describe, expect, it, onTestFinished } from 'vitest';
import { rowSecurityChecks } from '../../src/conformance/lib/checks/rowSecurityChecks.ts';
import { createContext, mintPath } from '../../src/conformance/lib/createContext.ts';
import { isFields } from '../../src/conformance/lib/readers.ts';
import { runChecks } from '../../src/conformance/lib/runCheck.ts';
import type { Target } from '../../src/conformance/lib/target.ts';
import { correcting, isTo, otherValues, withJson } from './controls/breakages.ts';
import { type Breakage, startBrokenService } from './controls/startBrokenService.ts';
import { sharedPortal } from './support/sharedPortal.ts';

const started = sharedPortal();

/** The findings for roles and for viewers, of a run with the given names only. */
const find = async (
  breakage: Breakage,
  named: Pick<Target, 'roleName' | 'otherRoleName' | 'viewer'> = {},
) => {
  const { target, close } = await startBrokenService(started().target, breakage);
  onTestFinished(close);
  const { rlsItemId: _item, roleName: _role, otherRoleName: _other, viewer: _viewer, ...rest } = target;
  const results = await runChecks(rowSecurityChecks, createContext({ ...rest, ...named }, 'rows'));
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

  it('tell a viewer without rows of their own from one that the portal does not have', async () => {
    const [, known] = await find(ignoring, { viewer: 'north.manager@acme.example' });
    expect(known).toBe('differs');
    const [, unknown] = await find({}, { viewer: 'nobody' });
    expect(unknown).toMatch(
      /^needs a user of the tenant with rows of their own: GET \/v1\/users does not list "nobody" \(--viewer\)\. Seen: the same page/,
    );
  });

  it('find the viewer on a later page of the list', async () => {
    const users = await fetch(`${started().target.baseUrl}/v1/users`, {
      headers: { authorization: `Bearer ${started().target.apiKey}` },
    }).then(
      (response) => response.json() as Promise<{ readonly items: readonly { readonly email: string }[] }>,
    );
    const onePerPage: Breakage = {
      ...ignoring,
      answer: (answer, request) => {
        const page = Number(new URL(request.url).searchParams.get('page') ?? 1);
        return isTo(request, 'GET /v1/users')
          ? withJson(answer, { ...users, items: users.items.slice(page - 1, page) })
          : answer;
      },
    };
    const [, last] = await find(onePerPage, { viewer: users.items.at(-1)?.email ?? '' });
    expect(last).toBe('differs');
  });

  it('compare another role with the named one, also if the list begins with it', async () => {
    expect((await find({}, { otherRoleName: 'region-north' }))[0]).toBe('as expected');
    expect((await find(ignoring, { otherRoleName: 'region-north' }))[0]).toBe('differs');
  });
});
