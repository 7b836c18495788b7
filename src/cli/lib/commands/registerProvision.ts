import { resolve } from 'node:path';
import type { Customer, CustomerUser } from '@vitrine/portal-client';
import { Option } from 'commander';
import { confirm } from '../input/confirm.ts';
import { optionalText, readItem, readRole } from '../input/desiredRows.ts';
import { readJsonFile } from '../input/readJsonFile.ts';
import { addPortalOptions, withClient } from '../input/withClient.ts';
import { plainText } from '../output/plainText.ts';
import { progressBar } from '../output/progressBar.ts';
import { UsageError } from '../output/usageError.ts';
import { addCommand } from '../program/addCommand.ts';
import { isOn } from '../program/readOptions.ts';
import type { RegisterCommand } from './registerCommands.ts';
import { showResult } from './sync/applyCommand.ts';

/** `vitrine provision`: creates a customer in the tenant. */
export const registerProvision: RegisterCommand = (program, context) => {
  const command = addCommand(program, context, {
    usage: 'provision <customer>',
    summary: 'Create a customer in the tenant: units, roles, users, items',
    details: `The file is JSON: { "name", "parentPath"?, "organizationUnits"?: ["Sales/North"],
"roles"?: [{ "name", "type", "code" }], "users"?: [{ "email", "type", "firstName", "lastName", "roles", "units" }],
"items"?: [{ "workspaceId", "reportId", "displayName" }] }.
The command only adds what is missing, so you can repeat it at any time.`,
    options: [
      new Option('--dry-run', 'show the plan without changes; exit code 2 if there are any'),
      new Option('--allow-administrators', 'also add administrators'),
    ],
    examples: [
      { line: 'vitrine provision customer.json --dry-run', note: 'show the plan' },
      { line: 'vitrine provision customer.json --yes', note: 'apply it without asking' },
    ],
    run: (run) =>
      withClient(run, async (client) => {
        const { io, out, options, args, setExitCode } = run;
        const { isComplete } = await import('@vitrine/portal-client');
        const { applyQuestion, showPlan } = await import('./sync/showPlan.ts');
        const customer = readCustomer(await readJsonFile(resolve(io.cwd, args[0] ?? '')));
        const { plan, path } = await client.provision(customer, { dryRun: true, signal: io.signal });
        const isDry = isOn(options, 'dryRun');
        const hasConflicts = plan.conflicts.length > 0;
        if (out.format === 'table' && (isDry || hasConflicts || !isOn(options, 'yes'))) showPlan(plan, out);
        if (isDry) {
          if (out.format !== 'table') out.record(plan);
          if (plan.actions.length > 0 || hasConflicts) setExitCode(2);
          return;
        }
        // Conflicts remain, whatever the result of the rest.
        if (hasConflicts) setExitCode(1);
        if (plan.actions.length === 0)
          return out.note(hasConflicts ? 'Nothing was changed.' : `${plainText(path)} is already synced.`);
        const allowed = { allowAdministrators: isOn(options, 'allowAdministrators') };
        if (!(await confirm(run, applyQuestion(plan, allowed)))) return out.note('Nothing was changed.');
        const progress = progressBar(io, out, 'Provisioning');
        const result = await client
          .applyPlan(plan, {
            ...allowed,
            signal: io.signal,
            onProgress: ({ done, total }) => progress.update(done, total),
          })
          .finally(progress.stop);
        if (out.format === 'table') showResult(result, out);
        else out.record({ path, result });
        if (result.notAllowed.administrators > 0 && !hasConflicts) setExitCode(2);
        if (!isComplete(result)) setExitCode(1);
      }),
  });
  addPortalOptions(command);
};

type Row = Readonly<Record<string, unknown>>;

const customerNames = ['name', 'parentPath', 'organizationUnits', 'roles', 'items', 'users'];

const readCustomer = (value: unknown): Customer => {
  if (!isRecord(value) || typeof value['name'] !== 'string' || value['name'].trim() === '')
    throw new UsageError('The customer file needs a "name". See vitrine provision --help.');
  const unknown = Object.keys(value).find((name) => !customerNames.includes(name));
  if (unknown !== undefined)
    throw new UsageError(
      `The customer file has an unknown field ${JSON.stringify(unknown.slice(0, 40))}. Its fields are ${customerNames.join(', ')}.`,
    );
  const parentPath = optionalText(value, 'parentPath');
  return {
    name: value['name'],
    ...(parentPath !== undefined && { parentPath }),
    organizationUnits: texts(value, 'organizationUnits'),
    roles: rows(value, 'roles').map(readRole),
    items: rows(value, 'items').map(readItem),
    users: rows(value, 'users').map(readUser),
  };
};

const readUser = (row: Row): CustomerUser => {
  const text = (name: string) => optionalText(row, name);
  return {
    email: text('email') ?? '',
    type: text('type'),
    firstName: text('firstName'),
    lastName: text('lastName'),
    roles: row['roles'] === undefined ? undefined : texts(row, 'roles'),
    units: texts(row, 'units'),
  };
};

const list = (row: Row, name: string): readonly unknown[] => {
  const value = row[name] ?? [];
  if (!Array.isArray(value)) throw new UsageError(`"${name}" in the customer file must be a list.`);
  return value;
};

const texts = (row: Row, name: string): readonly string[] =>
  list(row, name).map((entry) => {
    if (typeof entry !== 'string' || entry.trim() === '')
      throw new UsageError(
        `"${name}" in the customer file contains ${JSON.stringify(entry).slice(0, 60)}, which is not a string.`,
      );
    return entry;
  });

const rows = (row: Row, name: string): readonly Row[] =>
  list(row, name).map((entry) => {
    if (!isRecord(entry))
      throw new UsageError(
        `"${name}" in the customer file contains ${JSON.stringify(entry).slice(0, 60)}, which is not an object. See --help for its fields.`,
      );
    return entry;
  });

const isRecord = (value: unknown): value is Row =>
  typeof value === 'object' && value !== null && !Array.isArray(value);
