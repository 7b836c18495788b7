import { statSync } from 'node:fs';
import { resolve } from 'node:path';
import type { ActionInbox, DeliveryFilter, DeliveryState, StoredDelivery } from '@vitrine/server/actions';
import { Option } from 'commander';
import { UsageError } from '../../output/usageError.ts';
import type { CommandSpec, Run } from '../../program/addCommand.ts';
import { isOn, listOf, textOption } from '../../program/readOptions.ts';
import { listOptions, showRows } from '../listOptions.ts';

const inboxStates: readonly DeliveryState[] = ['pending', 'done', 'unrouted', 'parked', 'dead'];

const schemaOption = new Option('--schema <name>', 'schema of a Postgres inbox; default vitrine');
const options = [
  new Option(
    '--inbox <place>',
    'SQLite file or postgres:// URL; default VITRINE_ACTIONS_INBOX or actions.db',
  ),
  schemaOption,
  new Option('--state <state...>', 'only actions in these states').choices([...inboxStates]),
];

const placeOf = ({ io, options }: Run): string =>
  textOption(options, 'inbox') ?? io.env['VITRINE_ACTIONS_INBOX'] ?? 'actions.db';

const openInbox = async (run: Run): Promise<ActionInbox> => {
  const { io, options } = run;
  const { postgresInbox, sqliteInbox } = await import('@vitrine/server/actions');
  const place = placeOf(run);
  if (/^postgres(?:ql)?:\/\//.test(place)) {
    const schema = textOption(options, 'schema');
    return postgresInbox(place, { onMissing: 'fail', ...(schema !== undefined && { schema }) });
  }
  if (place.includes('://'))
    throw new UsageError('--inbox or VITRINE_ACTIONS_INBOX is neither a file nor a postgres:// address.');
  const file = resolve(io.cwd, place);
  // An inbox would be created there.
  if (!statSync(file, { throwIfNoEntry: false })?.size)
    throw new UsageError(`There is no inbox at ${file}. Set its path with --inbox or VITRINE_ACTIONS_INBOX.`);
  return sqliteInbox(file);
};

const withInbox = async (run: Run, work: (inbox: ActionInbox) => Promise<void>): Promise<void> => {
  try {
    const inbox = await openInbox(run);
    try {
      await work(inbox);
    } finally {
      await inbox.close();
    }
  } catch (error) {
    throw withServer(error, placeOf(run));
  }
};

/** Names the server in the error of a database that does not respond. */
const withServer = (error: unknown, place: string): unknown => {
  const code = error instanceof Error && 'code' in error ? String(error.code) : '';
  const host = URL.parse(place)?.host ?? '';
  if (host === '' || !/^(?:E(?!RR_)[A-Z_]+|CONN\w*)$/.test(code)) return error;
  return new UsageError(
    `Could not open the inbox at ${host} (${code}). Check that its server is running, and --inbox or VITRINE_ACTIONS_INBOX.`,
    { cause: error },
  );
};

/** Reads `17` or `17..42`, and the states. */
const readFilter = (run: Run): Omit<DeliveryFilter, 'limit'> => {
  const [text] = run.args;
  const given = listOf(run.options, 'state');
  const states = given && inboxStates.filter((state) => given.includes(state));
  if (text === undefined) return { states };
  const [, from, to = from] = /^(\d+)(?:\.\.(\d+))?$/.exec(text) ?? [];
  if (from === undefined || to === undefined)
    throw new UsageError(`"${text}" is not an action. Use a number, or a range such as 17..42.`);
  if (BigInt(to) < BigInt(from))
    throw new UsageError(`The range ${text} ends before it begins. Write ${to}..${from}.`);
  return { from, to, states };
};

/** The actions that a command is to change. */
const readSelection = async (run: Run, inbox: ActionInbox): Promise<Omit<DeliveryFilter, 'limit'>> => {
  const filter = readFilter(run);
  const { from, to, states } = filter;
  if (from !== undefined && (await inbox.list({ from, to, limit: 1 })).length === 0)
    throw new UsageError(`The inbox has no action ${run.args[0]}.`);
  if (from !== undefined || states !== undefined) return filter;
  throw new UsageError('No actions given. Pass a number, a range such as 17..42, or --state dead.');
};

const pageSize = 200;

/** Lists deliveries page by page: a range upward, all of them from the newest. */
async function* deliveriesOf(
  inbox: ActionInbox,
  filter: Omit<DeliveryFilter, 'limit'>,
): AsyncGenerator<StoredDelivery> {
  for (let range = filter; ; ) {
    const page = await inbox.list({ ...range, limit: pageSize });
    yield* page;
    const last = page.at(-1);
    if (last === undefined || page.length < pageSize) return;
    const next = BigInt(last.id);
    range =
      filter.from === undefined ? { ...filter, to: `${next - 1n}` } : { ...filter, from: `${next + 1n}` };
  }
}

const counted = (count: number, state: string): string =>
  `${count} ${count === 1 ? 'action is' : 'actions are'} ${state}.`;

/** `vitrine actions`: deliveries received by webhook, and their state. */
export const actionsCommand: Omit<CommandSpec, 'summary'> = {
  usage: 'actions',
  commands: [
    {
      usage: 'list [actions]',
      summary: 'List actions, newest first',
      details: 'What a viewer selected is shown only with --body. Bodies that are not text are base64.',
      options: [...options, ...listOptions, new Option('--body', 'also show the original bodies')],
      examples: [
        { line: 'vitrine actions list --inbox actions.db', note: 'the newest in a SQLite inbox' },
        { line: 'vitrine actions list --state dead --state parked', note: 'actions that need attention' },
        { line: 'vitrine actions list 1..20 --body --json', note: 'with the selections, for programs' },
      ],
      run: (run) =>
        withInbox(run, async (inbox) => {
          const { bodyColumn, columns, summariesOf } = await import('./summary.ts');
          const hasBody = isOn(run.options, 'body');
          const found = summariesOf(deliveriesOf(inbox, readFilter(run)), hasBody);
          await showRows(
            run,
            { columns: hasBody ? [...columns, bodyColumn] : columns, noun: 'action' },
            found,
          );
        }),
    },
    {
      usage: 'replay [actions]',
      summary: 'Run the handlers of actions again',
      details:
        'The running host starts them within a second. Attempts restart at 1, and the last error stays until the next result. Pending actions are not changed: they are waiting, or their handler is running.',
      options,
      examples: [
        { line: 'vitrine actions replay 1', note: 'one action' },
        { line: 'vitrine actions replay 1..20 --state dead', note: 'the dead letters in a range' },
        { line: 'vitrine actions replay --state unrouted', note: 'after you added a handler' },
      ],
      run: (run) =>
        withInbox(run, async (inbox) => {
          const replayed = await inbox.replay(await readSelection(run, inbox));
          run.out.done({ replayed }, counted(replayed, 'due again'));
        }),
    },
    {
      usage: 'discard [actions]',
      summary: 'End actions that need no handler',
      details:
        'They become done, with the reason as their remark, and are removed with the other handled actions. Pending and done actions are not changed.',
      options: [...options, new Option('--reason <text>', 'why, for `vitrine actions list`')],
      examples: [
        { line: 'vitrine actions discard 17 --reason "test button"', note: 'one action' },
        { line: 'vitrine actions discard --state parked', note: 'all parked actions' },
      ],
      run: (run) =>
        withInbox(run, async (inbox) => {
          const reason = textOption(run.options, 'reason');
          const error = reason === undefined ? 'Discarded.' : `Discarded: ${reason}`;
          const selection = { from: '0', ...(await readSelection(run, inbox)) };
          let [discarded, left] = [0, 0];
          for await (const { id, state } of deliveriesOf(inbox, selection)) {
            const isLeft = state === 'done' || state === 'pending';
            if (!isLeft && (await inbox.settle({ id }, { kind: 'done', error }))) discarded += 1;
            else left += 1;
          }
          run.out.done({ discarded }, counted(discarded, 'discarded'));
          if (left > 0) run.out.note(counted(left, 'pending or already done, and not changed'));
        }),
    },
    {
      usage: 'schema',
      summary: 'Print the SQL of a Postgres inbox',
      details: 'For a database administrator, if the role of the host may not create a schema or tables.',
      options: [schemaOption],
      examples: [{ line: 'vitrine actions schema --schema clicks', note: 'for another schema than vitrine' }],
      run: async (run) => {
        const { postgresInboxSchema } = await import('@vitrine/server/actions');
        const sql = postgresInboxSchema(textOption(run.options, 'schema')).trimEnd();
        run.out.record({ sql }, sql);
      },
    },
  ],
};
