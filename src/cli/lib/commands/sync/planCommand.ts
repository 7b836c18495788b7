import { writeFile } from 'node:fs/promises';
import { resolve } from 'node:path';
import type { MissingPolicy, PlanOptions, PortalClient, SyncPlan, User } from '@vitrine/portal-client';
import { Option } from 'commander';
import { withClient } from '../../input/openClient.ts';
import { openUserSource } from '../../input/openSource.ts';
import { readItem, readRole, readUnit } from '../../input/readDesired.ts';
import { readJsonList } from '../../input/readJsonFile.ts';
import { progressBar } from '../../output/progressBar.ts';
import { type CommandSpec, listOption, type Run } from '../../program/addCommand.ts';
import { isOn, listOf, textOption } from '../../program/readOptions.ts';
import { UsageError } from '../../program/usageError.ts';
import { showPlan } from './showPlan.ts';

/** `vitrine sync plan`: what would have to be done. */
export const planCommand: CommandSpec = {
  usage: 'plan [users]',
  summary: 'Compare the tenant with what it should be; changes nothing',
  details: `Users come from CSV, JSON, NDJSON or SCIM 2.0 (a file, or - for stdin). A CSV has a header line;
lists inside a cell are parted by | or ;. Fields that are not in the source are left alone.
Exit code 0: nothing to do, 2: changes or conflicts, 1: error.`,
  options: [
    new Option('--format <format>', 'of the users: csv or json; default by the ending').choices([
      'csv',
      'json',
    ]),
    listOption('--column <field=Column>', 'which column of the CSV holds a field; may stand several times'),
    new Option('--missing <policy>', 'users of the tenant that the source does not have')
      .choices(['keep', 'disable', 'delete'])
      .default('keep'),
    listOption('--protect-role <name>', 'users with this role are never disabled or deleted'),
    new Option('--add-lists', 'add wanted roles and units to those there are, instead of replacing them'),
    new Option('--default-type <type>', 'type of new users whose row has none'),
    new Option('--roles <file>', 'roles that should be there: JSON [{name, type, code}]'),
    new Option('--ous <file>', 'units that should be there: JSON [{path}]'),
    new Option('--items <file>', 'items that should be there: JSON [{workspaceId, reportId, displayName}]'),
    new Option('--allow-empty', 'believe a source that wants nobody'),
    new Option('--out <file>', 'save the plan, for `vitrine sync apply`'),
  ],
  examples: [
    {
      line: 'vitrine sync plan people.csv --default-type UserPass --out plan.json',
      note: 'look first, apply later',
    },
    {
      line: 'vitrine sync plan people.csv --missing delete --protect-role "Tenant administrator"',
      note: 'with who would have to go',
    },
    { line: 'vitrine sync plan scim-users.json --json', note: "a directory's SCIM export, for programs" },
  ],
  run: (run) =>
    withClient(run, async (client) => {
      const { io, out, options, args, setExitCode } = run;
      const [users] = args;
      const list = async (name: string) => {
        const file = textOption(options, name);
        return file === undefined ? undefined : readJsonList(resolve(io.cwd, file));
      };
      const roles = await list('roles');
      const units = await list('ous');
      const items = await list('items');
      if (users === undefined && roles === undefined && units === undefined && items === undefined)
        throw new UsageError(
          'There is nothing to compare with. Name a file of users, or --roles, --ous or --items.',
        );
      await checkProtectedRoles(client, run);
      const progress = progressBar(io, out, 'Planning');
      const plan = await client
        .planSync(
          {
            users: users === undefined ? undefined : await openUserSource(run, users),
            roles: roles?.map(readRole),
            organizationUnits: units?.map(readUnit),
            items: items?.map(readItem),
          },
          { ...readPlanOptions(run), signal: io.signal, onProgress: ({ count }) => progress.update(count) },
        )
        .finally(progress.stop);
      const file = textOption(options, 'out');
      if (file !== undefined) await savePlan(resolve(io.cwd, file), plan);
      if (out.format === 'table') showPlan(plan, out, io.stdout.columns ?? 80);
      else out.record(plan);
      if (file !== undefined) out.note(`Saved to ${file}. Apply it with: vitrine sync apply ${file}`);
      if (plan.actions.length > 0 || plan.conflicts.length > 0) setExitCode(2);
    }),
};

const savePlan = async (path: string, plan: SyncPlan): Promise<void> => {
  try {
    await writeFile(path, `${JSON.stringify(plan)}\n`);
  } catch (error) {
    const reason = error instanceof Error && 'code' in error ? ` (${String(error.code)})` : '';
    throw new UsageError(`The plan cannot be saved to ${path}${reason}. Name another file with --out.`);
  }
};

const protectedRolesOf = (options: Run['options']): readonly string[] =>
  (listOf(options, 'protectRole') ?? []).map((role) => role.normalize('NFC'));

/** A misspelt role would protect nobody, and nobody would notice before somebody is gone. */
const checkProtectedRoles = async (client: PortalClient, { io, options }: Run): Promise<void> => {
  const roles = protectedRolesOf(options);
  if (roles.length === 0) return;
  const known = new Set<string | undefined>();
  for await (const { name } of client.roles.list({ signal: io.signal })) known.add(name?.normalize('NFC'));
  const missing = roles.find((role) => !known.has(role));
  if (missing !== undefined)
    throw new UsageError(
      `There is no role ${JSON.stringify(missing)} in this tenant, so --protect-role would protect nobody. \`vitrine roles list\` shows their names.`,
    );
};

/** Whose roles the portal does not show may have a protected one. */
const isProtected =
  (roles: readonly string[]) =>
  (user: User): boolean =>
    roles.length > 0 &&
    (user.roles === undefined || user.roles.some((role) => roles.includes(role.normalize('NFC'))));

const readPlanOptions = ({ options }: Run): PlanOptions => {
  const type = textOption(options, 'defaultType');
  return {
    missing: readPolicy(textOption(options, 'missing')),
    lists: isOn(options, 'addLists') ? 'add' : 'replace',
    allowEmpty: isOn(options, 'allowEmpty'),
    defaults: type === undefined ? {} : { type },
    protect: isProtected(protectedRolesOf(options)),
  };
};

const readPolicy = (text: string | undefined): MissingPolicy =>
  text === 'disable' || text === 'delete' ? text : 'keep';
