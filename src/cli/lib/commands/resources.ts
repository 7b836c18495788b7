import { emailKey, resources, type ServiceRoute, serviceRoutes } from '@vitrine/contract/service';
import type { PortalClient } from '@vitrine/portal-client';
import { Option } from 'commander';
import { confirm } from '../input/ask.ts';
import { withClient } from '../input/withClient.ts';
import { dashed, formatValue, plainText } from '../output/text.ts';
import { UsageError } from '../output/usageError.ts';
import { type CommandSpec, type Run } from '../program/addCommand.ts';
import { isOn } from '../program/readOptions.ts';
import { listOptions, showRows } from './listOptions.ts';
import { fieldOptions, readBody, tableColumns } from './resourceFields.ts';

/** A group of commands for one resource: its subcommands are the routes of the service, its options the fields. */
interface Family {
  readonly resource: 'user' | 'role' | 'organizationUnit' | 'item' | 'task' | 'link';
  /** Options of the example. */
  readonly sample?: string;
}

const families: Readonly<Record<string, Family>> = {
  users: {
    resource: 'user',
    sample: '--type UserPass --email new.analyst@acme.example --first-name New --last-name Analyst',
  },
  roles: { resource: 'role', sample: '--name "Region center" --type RLS --code region-center' },
  units: { resource: 'organizationUnit', sample: '--name Partners --parent-id root' },
  items: {
    resource: 'item',
    sample:
      '--type report --workspace-id 7d4f6a52-94e0-4c07-9d4c-1f5a0a6b2c11 --report-id 0b8f3d0e-5c1f-4a57-8a39-6e2d4c9b7f20 --display-name "New report" --roles Viewer',
  },
  tasks: { resource: 'task' },
  links: { resource: 'link' },
};

type Row = Readonly<Record<string, unknown>>;
interface Call {
  readonly signal: AbortSignal;
}

/** What the members of the client have in common; the routes decide which methods there are. */
interface ResourceClient {
  list(options: Call): AsyncIterable<object>;
  get?(id: string, options: Call): Promise<object>;
  create?(body: object, options: Call): Promise<object>;
  update?(id: string, body: object, options: Call): Promise<object>;
  delete?(id: string, options: Call): Promise<void>;
  sync?(id: string, options: Call): Promise<object>;
}

/** A command of a family while it runs. */
interface RowRun extends Run {
  readonly family: Family;
  readonly portal: PortalClient;
  readonly client: Required<ResourceClient>;
  readonly call: Call;
}

/** `vitrine users` and so on, from the tables of the service. */
export const resourceCommand = (name: string): Omit<CommandSpec, 'summary'> => {
  const family = families[name] as Family;
  const own = `/v1/${dashed(family.resource)}s`;
  const routes: readonly ServiceRoute[] = Object.values(serviceRoutes).filter(
    ({ path }) => path === own || path.startsWith(`${own}/`),
  );
  return { usage: name, commands: routes.map((route) => routeCommand(name, family, route)) };
};

type Verb = 'list' | 'get' | 'create' | 'update' | 'delete' | 'sync';

const verbOf = ({ method, list, body }: ServiceRoute): Verb => {
  if (list !== undefined) return 'list';
  if (body !== undefined) return body === 'create' ? 'create' : 'update';
  return method === 'GET' ? 'get' : method === 'DELETE' ? 'delete' : 'sync';
};

const routeCommand = (name: string, family: Family, route: ServiceRoute): CommandSpec => {
  const verb = verbOf(route);
  const { run, ...spec } = specOf[verb](`vitrine ${name} ${verb}`, family);
  return {
    ...spec,
    usage: route.path.includes('{') ? `${verb} <id>` : verb,
    summary: route.about.replace(/\.$/, ''),
    api: route.method === 'GET' ? 'reads' : 'changes',
    run: (command) =>
      withClient(command, (portal) =>
        run({
          ...command,
          family,
          portal,
          // The routes of the family have the methods that are called.
          client: portal[`${family.resource}s` as const] as ResourceClient as Required<ResourceClient>,
          call: { signal: command.io.signal },
        }),
      ),
  };
};

interface VerbSpec extends Pick<CommandSpec, 'options' | 'examples'> {
  readonly run: (run: RowRun) => Promise<void>;
}

const administratorOption = new Option('--allow-administrators', 'also remove administrators or their roles');

const specOf: Readonly<Record<Verb, (line: string, family: Family) => VerbSpec>> = {
  list: (line, { resource }) => ({
    options: listOptions,
    examples: [
      { line, note: 'print a table' },
      { line: `${line} --json`, note: 'print JSON, for programs' },
    ],
    run: (run) =>
      showRows(run, { columns: tableColumns(resource), noun: nounOf(run) }, run.client.list(run.call)),
  }),
  get: (line) => ({
    examples: [
      { line: `${line} 1`, note: 'by ID' },
      { line: `${line} north.manager@acme.example`, note: 'by email address' },
    ],
    run: async (run) => run.out.record(await findRow(run)),
  }),
  create: (line, family) => ({
    options: fieldOptions(family.resource, 'create'),
    ...(family.sample && {
      examples: [{ line: `${line} ${family.sample} --yes`, note: 'without confirmation' }],
    }),
    run: async (run) => {
      const body = readBody(family.resource, run.options, 'create');
      if (!(await confirm(run, plainText(`Create the ${nounOf(run)} ${labelOf(body)}?`)))) return;
      const row = await run.client.create(body, run.call);
      run.out.record(row);
      run.out.note(`Created ${nounOf(run)} ${shownId(row)}.`);
    },
  }),
  update: (line, family) => ({
    options: [...fieldOptions(family.resource, 'change'), administratorOption],
    examples: [{ line: `${line} 1 --last-name South --yes`, note: 'without confirmation' }],
    run: async (run) => {
      const body = readBody(family.resource, run.options, 'change');
      if (Object.keys(body).length === 0)
        throw new UsageError('Nothing to change. Pass a field, such as --last-name.');
      const row = await findRow(run);
      await checkAdministrator(run, row, body['roles']);
      const question = `Change ${Object.keys(body).join(', ')} of ${labelOf(row)} (${shownId(row)})?`;
      if (!(await confirm(run, plainText([question, ...lostEntries(row, body)].join(' '))))) return;
      run.out.record(await run.client.update(shownId(row), body, run.call));
      run.out.note(`Changed ${nounOf(run)} ${shownId(row)}.`);
    },
  }),
  delete: (line) => ({
    options: [administratorOption],
    examples: [{ line: `${line} former.analyst@acme.example --yes`, note: 'without confirmation' }],
    run: async (run) => {
      const row = await findRow(run);
      await checkAdministrator(run, row, []);
      if (!(await confirm(run, plainText(`Delete ${labelOf(row)} (${shownId(row)}) permanently?`)))) return;
      await run.client.delete(shownId(row), run.call);
      run.out.done({ deleted: idOf(row) }, `Deleted ${nounOf(run)} ${shownId(row)}.`);
    },
  }),
  sync: (line) => ({
    examples: [{ line: `${line} 2 --yes`, note: 'now, without waiting for the next scheduled sync' }],
    run: async (run) => {
      const [id = ''] = run.args;
      const question = `Add and remove members of the unit ${id} to match its group?`;
      if (!(await confirm(run, plainText(question)))) return;
      run.out.record(await run.client.sync(id, run.call));
      run.out.note('The portal accepted the synchronization.');
    },
  }),
};

const nounOf = ({ family }: RowRun): string => resources[family.resource].noun;

const labelOf = (row: object): string => {
  const { email, displayName, name }: Row = { ...row };
  return formatValue(email ?? displayName ?? name);
};

const idOf = (row: object): unknown => {
  const { id, guid }: Row = { ...row };
  return id ?? guid;
};

const shownId = (row: object): string => plainText(String(idOf(row)));

/** Finds a row by ID, or a user by email address, which is looked up in the list. */
const findRow = async (run: RowRun): Promise<object> => {
  const { client, call, args } = run;
  const [wanted = ''] = args;
  if (!wanted.includes('@')) return client.get(wanted, call);
  const found: object[] = [];
  for await (const row of client.list(call)) if (emailKey(labelOf(row)) === emailKey(wanted)) found.push(row);
  const [first, second] = found;
  if (first === undefined)
    throw new UsageError(`There is no ${nounOf(run)} ${JSON.stringify(wanted)} in this tenant.`);
  if (second === undefined) return first;
  throw new UsageError(
    `${found.length} ${nounOf(run)}s have the address ${JSON.stringify(wanted)}. Use the ID of one: ${found.map(shownId).join(', ')}.`,
  );
};

/** The entries of lists that a change removes, for the question. */
const lostEntries = (row: object, body: Row): readonly string[] =>
  Object.entries(body).flatMap(([name, kept]) => {
    const had: unknown = Reflect.get(row, name);
    if (!Array.isArray(had) || !Array.isArray(kept)) return [];
    const lost = had.filter((entry) => !kept.includes(entry));
    const title = dashed(name).replaceAll('-', ' ');
    const heading = `${title.charAt(0).toUpperCase()}${title.slice(1)}`;
    return lost.length === 0 ? [] : [`${heading} to remove: ${lost.join(', ')}.`];
  });

/** Rejects a change that takes a role of type `System` from a user, or that deletes such a user, unless the option is set. */
const checkAdministrator = async (run: RowRun, row: object, kept: unknown): Promise<void> => {
  const { roles }: Row = { ...row };
  if (!Array.isArray(roles) || !Array.isArray(kept) || isOn(run.options, 'allowAdministrators')) return;
  const lost = roles.filter((role) => !kept.includes(role));
  if (lost.length === 0) return;
  for await (const { name, type } of run.portal.roles.list(run.call))
    if (type === 'System' && lost.includes(name))
      throw new UsageError(
        `${labelOf(row)} would lose the administrator role ${JSON.stringify(name)}. Add --allow-administrators if this is intended.`,
      );
};
