import { describe, expect, it, onTestFinished } from 'vitest';
import { checks } from '../../src/conformance/lib/checks.ts';
import { createContext } from '../../src/conformance/lib/createContext.ts';
import { runChecks } from '../../src/conformance/lib/run.ts';
import type { Target } from '../../src/conformance/lib/target.ts';
import { actionMutants } from './controls/actionMutants.ts';
import { authorizing, made, pretending } from './controls/breakages.ts';
import { mutants } from './controls/mutants.ts';
import { type Breakage, startBrokenService } from './controls/startBrokenService.ts';
import { sharedPortal } from './support/sharedPortal.ts';

const started = sharedPortal();

let runs = 0;
/** The results of the checks with these title prefixes. */
const find = async (target: Target, beginnings: readonly string[]) => {
  runs += 1;
  const chosen = checks.filter((check) => beginnings.some((beginning) => check.title.startsWith(beginning)));
  const results = await runChecks(chosen, createContext(target, `control-${runs}`));
  return Object.fromEntries(results.map(({ title, finding }) => [title, finding.outcome]));
};
const all = (outcome: string, outcomes: Readonly<Record<string, string>>) =>
  Object.fromEntries(Object.keys(outcomes).map((title) => [title, outcome]));

const serviceWith = async (breakage: Parameters<typeof startBrokenService>[1]) => {
  const service = await startBrokenService(started().target, breakage);
  onTestFinished(() => service.close());
  return service.target;
};

describe('the checks change and remove no user that they did not create in a service that', () => {
  const usersOf = async (tenancyName: string) => {
    const lists = `${started().portal.url}/_control/tenants/${tenancyName}/lists`;
    return (await fetch(`${lists}/users?pageSize=200`)).json();
  };

  it.each<[string, string, string, Breakage]>([
    [
      'removes the users of another tenant',
      '1 a user of another tenant',
      'globex',
      authorizing('DELETE /v1/users/*', ({ secondTenant }) => ({
        authorization: `Bearer ${secondTenant?.apiKey}`,
      })),
    ],
    [
      'answers a creation with another user',
      '4.1 PATCH',
      'acme',
      pretending('POST /v1/users', () => made(201, { id: 1, email: 'administrator@acme.example' })),
    ],
    [
      'answers a creation with another user',
      '4.1 DELETE',
      'acme',
      pretending('POST /v1/users', () => made(201, { id: 1, email: 'administrator@acme.example' })),
    ],
  ])('%s: %s', async (_name, beginning, tenancyName, breakage) => {
    const before = await usersOf(tenancyName);
    const outcomes = await find(await serviceWith(breakage), [beginning]);
    expect(outcomes).toEqual(all('differs', outcomes));
    expect(await usersOf(tenancyName)).toEqual(before);
  });
});

describe('the checks detect a service that', () => {
  it.each(mutants)('$name', async ({ noticedBy, breakage }) => {
    const honest = await find(await serviceWith({}), noticedBy);
    expect(Object.keys(honest).length).toBeGreaterThanOrEqual(noticedBy.length);
    expect(honest).toEqual(all('as expected', honest));
    const outcomes = await find(await serviceWith(breakage), noticedBy);
    expect(outcomes).toEqual(all('differs', outcomes));
  });

  it.each(actionMutants)('$name', async (mutant) => {
    const { actions } = started().target;
    if (actions === undefined) throw new Error('The portal has nobody who acts.');
    const honest = await find(started().target, mutant.noticedBy);
    expect(Object.keys(honest).length).toBeGreaterThanOrEqual(mutant.noticedBy.length);
    expect(honest).toEqual(all('as expected', honest));
    const broken = { ...started().target, actions: mutant.breakWith(actions) };
    const outcomes = await find(broken, mutant.noticedBy);
    expect(outcomes).toEqual(all('differs', outcomes));
  });
});
