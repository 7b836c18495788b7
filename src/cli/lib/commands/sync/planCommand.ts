import { createReadStream } from 'node:fs';
import { text } from 'node:stream/consumers';
import { setFlagsFromString } from 'node:v8';
import type { ItemInput, RoleInput } from '@vitrine/contract/service';
import type {
  DesiredOrganizationUnit,
  PlanOptions,
  PortalClient,
  SyncPlan,
  User,
} from '@vitrine/portal-client';
import { Option } from 'commander';
import { desiredRows } from '../../input/desiredRows.ts';
import { openUserSource } from '../../input/openUserSource.ts';
import { withClient } from '../../input/withClient.ts';
import { fileError, fileToWrite, replaceFile } from '../../output/fileError.ts';
import { progressBar } from '../../output/progressBar.ts';
import { UsageError } from '../../output/usageError.ts';
import { type CommandSpec, listOption, type Run } from '../../program/addCommand.ts';
import { isOn, listOf, textOption } from '../../program/readOptions.ts';

/** `vitrine sync plan`: shows what syncing would change. */
export const planCommand: CommandSpec = {
  usage: 'plan [users]',
  summary: 'Compare the tenant with the desired state; changes nothing',
  details: `Users come from CSV, JSON, NDJSON or SCIM 2.0 (a file, or - for stdin). A CSV has a header line;
lists inside a cell are separated by | or ;. Fields that are not in the source, empty cells and empty lists change nothing.
Exit code 0: nothing to do, 2: changes or conflicts, 1: error.`,
  api: 'reads',
  options: [
    new Option('--format <format>', 'csv or json; default: by the file extension').choices(['csv', 'json']),
    new Option('--source <export>', 'what the file is, such as okta or entra; default: recognized'),
    listOption('--map <field=Column>', 'column that contains a field, or none: type=; may be repeated'),
    new Option('--delimiter <character>', 'what separates the cells of a CSV; default: found in its header'),
    new Option('--encoding <name>', 'such as shift_jis or windows-1252; default: UTF-8 or UTF-16'),
    listOption('--inactive <word>', 'a further word for users who are not active; may be repeated'),
    new Option('--empty-clears', 'an empty cell or list of roles or organizationUnits removes all of them'),
    new Option('--missing <policy>', 'what to do with users who are not in the source')
      .choices(['keep', 'disable', 'delete'])
      .default('keep'),
    listOption('--protect-role <name>', 'users with this role are never disabled or deleted'),
    new Option('--default-type <type>', 'type of new users if their row has none'),
    new Option('--roles <file>', 'roles of the desired state: JSON [{name, type, code}]'),
    new Option('--units <file>', 'organizational units of the desired state: JSON [{path}]'),
    new Option('--items <file>', 'items of the desired state: JSON [{workspaceId, reportId, displayName}]'),
    new Option('--create-missing', 'create units that only the rows of users name'),
    new Option('--skip-without-email', 'pass over rows without an email address'),
    new Option('--allow-empty', 'accept a source without users'),
    new Option('--out <file>', 'save the plan, for `vitrine sync apply`; only an earlier plan is replaced'),
    new Option('--all', 'show every change'),
  ],
  examples: [
    {
      line: 'vitrine sync plan people.csv --default-type UserPass --out plan.json',
      note: 'review first, apply later',
    },
    {
      line: 'vitrine sync plan people.csv --missing delete --protect-role "Tenant administrator"',
      note: 'with the users who would be deleted',
    },
    {
      line: 'vitrine sync plan staff.csv --map email=Kontakt --map roles=Rollen',
      note: 'a CSV with other column names',
    },
    { line: 'vitrine sync plan scim-users.json --json', note: "a directory's SCIM export, for programs" },
  ],
  run: (run) =>
    withClient(run, async (client) => {
      const { io, out, options, args, setExitCode } = run;
      const [users] = args;
      const file = textOption(options, 'out');
      const path = file === undefined ? undefined : await planFile(run, file);
      const roles = await desiredRows<RoleInput>(run, 'roles');
      const units = await desiredRows<DesiredOrganizationUnit>(run, 'units');
      const items = await desiredRows<ItemInput>(run, 'items', { type: 'report', roles: [] });
      if (users === undefined && roles === undefined && units === undefined && items === undefined)
        throw new UsageError('Nothing to compare. Pass a file of users, or --roles, --units or --items.');
      await checkProtectedRoles(client, run);
      const { showPlan } = await import('./showPlan.ts');
      // Otherwise V8 gives new objects up to 96 MB, most of them unused: too much beside a hundred thousand users.
      setFlagsFromString('--semi-space-growth-factor=1');
      const progress = progressBar(io, out, 'Planning');
      const plan = await client
        .planSync(
          {
            users: users === undefined ? undefined : await openUserSource(run, users),
            roles,
            organizationUnits: units,
            items,
          },
          { ...readPlanOptions(run), signal: io.signal, onProgress: ({ count }) => progress.update(count) },
        )
        .finally(progress.stop);
      io.signal.throwIfAborted();
      // It has names and addresses: only for its owner.
      if (path !== undefined)
        await replaceFile(path, planText(plan), `save the plan to ${path}`, next, 0o600);
      if (out.format === 'table') showPlan(plan, out, isOn(options, 'all'));
      else out.record(plan);
      if (file !== undefined)
        out.note(
          `Saved to ${file}.${plan.actions.length > 0 ? ` Apply it with: vitrine sync apply ${file}` : ''}`,
        );
      if (plan.actions.length > 0 || plan.conflicts.length > 0) setExitCode(2);
    }),
};

const next = 'Choose another file with --out.';

/** Only an earlier plan is replaced: the name may be that of the source, or of a file with secrets. */
const planFile = async ({ io }: Run, file: string): Promise<string> => {
  const { path, isThere } = await fileToWrite(io, file, next);
  if (!isThere) return path;
  const start = await text(createReadStream(path, { end: 199 })).catch((error: unknown) => {
    throw fileError(`save the plan to ${path}`, error, next);
  });
  if (start === '' || /^\s*\{\s*"format"\s*:\s*"vitrine-sync-plan"/.test(start)) return path;
  throw new UsageError(
    `--out is ${file}, which exists and is not a plan of \`vitrine sync plan\`. Nothing was changed. Choose another file.`,
  );
};

const actionsPerPiece = 500;

/** The JSON of a plan in pieces: the text of a large one would double the memory. */
function* planText({ actions, ...plan }: SyncPlan): Generator<string, void, undefined> {
  yield `${JSON.stringify(plan).slice(0, -1)},"actions":[`;
  for (let start = 0; start < actions.length; start += actionsPerPiece)
    yield `${start === 0 ? '' : ','}${JSON.stringify(actions.slice(start, start + actionsPerPiece)).slice(1, -1)}`;
  yield ']}\n';
}

const protectedRolesOf = (options: Run['options']): readonly string[] =>
  (listOf(options, 'protectRole') ?? []).map((role) => role.normalize('NFC'));

/** Rejects unknown roles: a misspelled role would silently protect nobody. */
const checkProtectedRoles = async (client: PortalClient, { io, options }: Run): Promise<void> => {
  const roles = protectedRolesOf(options);
  if (roles.length === 0) return;
  const known = new Set<string | undefined>();
  for await (const { name } of client.roles.list({ signal: io.signal })) known.add(name?.normalize('NFC'));
  const missing = roles.find((role) => !known.has(role));
  if (missing === undefined) return;
  throw new UsageError(
    `The tenant has no role ${JSON.stringify(missing)}, so --protect-role would not protect anyone. \`vitrine roles list\` shows the names.`,
  );
};

/** Users whose roles the portal does not show are protected too. */
const isProtected =
  (roles: readonly string[]) =>
  (user: User): boolean =>
    roles.length > 0 &&
    (user.roles === undefined || user.roles.some((role) => roles.includes(role.normalize('NFC'))));

const readPlanOptions = ({ options }: Run): PlanOptions => {
  const type = textOption(options, 'defaultType');
  return {
    // One of its choices.
    missing: textOption(options, 'missing') as PlanOptions['missing'],
    emptyClears: isOn(options, 'emptyClears'),
    createMissing: isOn(options, 'createMissing'),
    skipWithoutEmail: isOn(options, 'skipWithoutEmail'),
    allowEmpty: isOn(options, 'allowEmpty'),
    defaults: type === undefined ? {} : { type },
    protect: isProtected(protectedRolesOf(options)),
  };
};
