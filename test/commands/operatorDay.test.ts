import { readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { createPortal, type Portal, tenantEnvironment } from '@vitrine/portal';
import { sqliteInbox } from '@vitrine/server/actions';
import { afterAll, beforeAll, expect, it } from 'vitest';
import { clickBody } from '../actions/support/samples.ts';
import { runCommand, temporaryFolder } from './support/runCommand.ts';

let portal: Portal;
beforeAll(async () => {
  portal = await createPortal();
});
afterAll(() => portal.close());

/** A command of the day, its exit code, and what the operator has to see. */
type Step = readonly [line: string, exitCode: number, seen: RegExp];

/** In the order of the day: each command builds on those before it. */
const day: readonly Step[] = [
  ['users list', 0, /north\.manager@acme\.example/],
  ['sync plan people.csv --out plan.json', 2, /Plan: 1 to update, 1 user to create/],
  ['sync apply plan.json --yes', 0, /1 created, 1 changed\./],
  ['sync plan people.csv', 0, /Nothing to do: 2 already synced\./],
  ['users get new.planner@acme.example', 0, /firstName +New/],
  ['roles create --type Report --name Planners --yes', 0, /Created role \d+\./],
  ['users update new.planner@acme.example --roles Planners --yes', 0, /Changed user \d+\./],
  [
    'users update new.planner@acme.example --roles Misspelled --yes',
    1,
    /roles\[0\]: is not the name of a role/,
  ],
  ['audit list --action UserCreated --limit 1', 0, /new\.planner@acme\.example/],
  ['audit export --from 1d --out today.csv', 0, /records written to/],
  ['keys create --item 1042 --user jane --role region-north', 0, /\/report\/1042\?ev=/],
  ['generate reports.ts', 0, /Wrote reports\.ts with \d+ reports\./],
  ['actions list --state dead', 0, /the order desk is closed/],
  ['actions replay --state dead', 0, /1 action is due again\./],
  ['actions list --state dead', 0, /No actions\./],
  ['api GET /v1/roles --paginate', 0, /"Planners"/],
  ['users delete new.planner@acme.example', 1, /Delete new\.planner@acme\.example .*\n.*Add --yes/],
  ['users delete new.planner@acme.example --yes', 0, /Deleted user \d+\./],
  ['users get new.planner@acme.example', 1, /There is no user "new\.planner@acme\.example"/],
];

it('a day of an operator goes as recorded', async () => {
  const cwd = temporaryFolder();
  const [tenant = expect.fail('The default seed has a tenant.')] = portal.tenants;
  const env = tenantEnvironment(tenant).values;
  const people = [
    'email,first name,last name,type,roles',
    'north.manager@acme.example,Nora,North,DirectoryAD,Viewer|Region North',
    'new.planner@acme.example,New,Planner,UserPass,Viewer',
  ];
  writeFileSync(join(cwd, 'people.csv'), `${people.join('\n')}\n`);
  const inbox = sqliteInbox(join(cwd, 'actions.db'));
  await inbox.append({ raw: Buffer.from(JSON.stringify(clickBody())), receivedAtMs: Date.now() });
  const [click] = await inbox.claim({ limit: 1, leaseMs: 60_000 });
  await inbox.settle(click ?? expect.fail('There is no click.'), {
    kind: 'dead',
    error: 'the order desk is closed',
  });
  await inbox.close();

  for (const [line, expected, seen] of day) {
    const { exitCode, stdout, stderr } = await runCommand(line, { cwd, env });
    expect([line, exitCode, stdout + stderr]).toEqual([line, expected, expect.stringMatching(seen)]);
    expect(stdout + stderr).not.toContain(tenant.apiKey);
  }
  expect(readFileSync(join(cwd, 'today.csv'), 'utf8')).toContain('UserCreated');
  expect(readFileSync(join(cwd, 'reports.ts'), 'utf8')).toContain('export const reports');
});
