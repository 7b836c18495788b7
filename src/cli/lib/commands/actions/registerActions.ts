import { existsSync } from 'node:fs';
import { resolve } from 'node:path';
import type { ActionInbox, DeliveryFilter, DeliveryState } from '@vitrine/server/actions';
import { Option } from 'commander';
import { UsageError } from '../../output/usageError.ts';
import type { RegisterCommand } from '../../program/addCommand.ts';
import { addCommand, listOption, outputOptions, type Run } from '../../program/addCommand.ts';
import { isOn, listOf, textOption } from '../../program/readOptions.ts';
import { listOptions, showRows } from '../listOptions.ts';
import { allOf, newestOf } from './actionPages.ts';

const states: readonly DeliveryState[] = ['pending', 'done', 'unrouted', 'parked', 'dead'];

const inboxOption = () =>
  new Option(
    '--inbox <place>',
    'file of the SQLite inbox, or a postgres:// URL; default VITRINE_ACTIONS_INBOX or actions.db',
  );
const schemaOption = () => new Option('--schema <name>', 'schema of a Postgres inbox; default vitrine');
const stateOption = () => listOption(`--state <state>`, `only these: ${states.join(', ')}; may be repeated`);

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
  const file = resolve(io.cwd, place);
  if (!existsSync(file))
    throw new UsageError(`There is no inbox at ${file}. Set its path with --inbox or VITRINE_ACTIONS_INBOX.`);
  return sqliteInbox(file, { onMissing: 'fail' });
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
  if (host === '' || !/^(?:E[A-Z_]+|CONN\w*)$/.test(code)) return error;
  return new UsageError(
    `Could not open the inbox at ${host} (${code}). Check that its server is running, and --inbox or VITRINE_ACTIONS_INBOX.`,
    { cause: error },
  );
};

const readStates = ({ options }: Run): readonly DeliveryState[] | undefined =>
  listOf(options, 'state')?.map((text) => {
    const state = states.find((known) => known === text);
    if (state === undefined) throw new UsageError(`--state is "${text}". Use ${states.join(', ')}.`);
    return state;
  });

/** Reads `17` or `17..42`. */
const readRange = (text: string | undefined): Pick<DeliveryFilter, 'from' | 'to'> => {
  if (text === undefined) return {};
  const [, from, to] = /^(\d+)(?:\.\.(\d+))?$/.exec(text) ?? [];
  if (from === undefined)
    throw new UsageError(`"${text}" is not an action. Use a number, or a range such as 17..42.`);
  if (to !== undefined && BigInt(to) < BigInt(from))
    throw new UsageError(`The range ${text} ends before it begins. Write ${to}..${from}.`);
  return { from, to: to ?? from };
};

/** The actions that a command is to change. */
const readSelection = (run: Run): Omit<DeliveryFilter, 'limit'> => {
  const states = readStates(run);
  if (run.args[0] === undefined && states === undefined)
    throw new UsageError('No actions given. Pass a number, a range such as 17..42, or --state dead.');
  return { ...readRange(run.args[0]), states };
};

/** Counts the pending deliveries in a range, which a replay does not change. */
const countPending = async (inbox: ActionInbox, filter: Omit<DeliveryFilter, 'limit'>): Promise<number> => {
  if (filter.states?.includes('pending') === false) return 0;
  let count = 0;
  for await (const _ of allOf(inbox, { ...filter, states: ['pending'] })) count += 1;
  return count;
};

/** `vitrine actions`: deliveries received by webhook, and their state. */
export const registerActions: RegisterCommand = (program, context) => {
  const family = program
    .command('actions')
    .description('Inspect, replay, discard and export the actions that a host received by webhook.');
  for (const option of outputOptions()) family.addOption(option);
  addCommand(family, context, {
    usage: 'list',
    summary: 'List actions, newest first',
    options: [inboxOption(), schemaOption(), stateOption(), ...listOptions],
    examples: [
      { line: 'vitrine actions list --inbox actions.db', note: 'the newest in a SQLite inbox' },
      { line: 'vitrine actions list --state dead --state parked', note: 'actions that need attention' },
    ],
    run: (run) =>
      withInbox(run, async (inbox) => {
        const { columns, summariesOf } = await import('./actionSummary.ts');
        const found = newestOf(inbox, readStates(run));
        await showRows(run, { columns, noun: 'action' }, summariesOf(found));
      }),
  });
  addCommand(family, context, {
    usage: 'show <action>',
    summary: 'Show one action',
    details: 'The selection of the viewer is shown only with --body.',
    options: [inboxOption(), schemaOption(), new Option('--body', 'also show the original body')],
    examples: [{ line: 'vitrine actions show 1 --body', note: 'including the selection' }],
    run: (run) =>
      withInbox(run, async (inbox) => {
        const { bodyOf, summaryOf } = await import('./actionSummary.ts');
        const [delivery] = await inbox.list({ ...readRange(run.args[0]), limit: 1 });
        if (delivery === undefined) throw new UsageError(`There is no action ${run.args[0] ?? ''}.`);
        const body = isOn(run.options, 'body') ? bodyOf(delivery) : {};
        run.out.record({ ...summaryOf(delivery), source: delivery.source, ...body });
      }),
  });
  addCommand(family, context, {
    usage: 'replay [actions]',
    summary: 'Run the handlers of actions again',
    details:
      'The running host starts them within a second. Attempts restart at 1, and the last error stays until the next result. Pending actions are not changed: they are waiting, or their handler is running.',
    options: [inboxOption(), schemaOption(), stateOption()],
    examples: [
      { line: 'vitrine actions replay 1', note: 'one action' },
      { line: 'vitrine actions replay 1..20 --state dead', note: 'the dead letters in a range' },
      { line: 'vitrine actions replay --state unrouted', note: 'after you added a handler' },
      { line: 'vitrine actions replay --state parked', note: 'all parked actions' },
    ],
    run: (run) =>
      withInbox(run, async (inbox) => {
        const filter = readSelection(run);
        const pending = await countPending(inbox, filter);
        const count = await inbox.replay(filter);
        run.out.note(`${count} ${count === 1 ? 'action is' : 'actions are'} due again.`);
        if (pending > 0)
          run.out.note(
            `${pending} ${pending === 1 ? 'is' : 'are'} pending and not changed: waiting, or the handler is running.`,
          );
      }),
  });
  addCommand(family, context, {
    usage: 'discard [actions]',
    summary: 'End actions that need no handler',
    details:
      'They become done, with the reason as their remark, and are removed with the other handled actions. Pending actions are not changed.',
    options: [
      inboxOption(),
      schemaOption(),
      stateOption(),
      new Option('--reason <text>', 'why, for `vitrine actions show`'),
    ],
    examples: [
      { line: 'vitrine actions discard 17 --reason "test button"', note: 'one action' },
      { line: 'vitrine actions discard --state parked', note: 'all parked actions' },
    ],
    run: (run) =>
      withInbox(run, async (inbox) => {
        const filter = readSelection(run);
        const reason = textOption(run.options, 'reason');
        const error = reason === undefined ? 'Discarded.' : `Discarded: ${reason}`;
        let count = 0;
        for await (const { id, state } of allOf(inbox, filter))
          if (state !== 'pending' && (await inbox.settle({ id }, { kind: 'done', error }))) count += 1;
        run.out.note(`${count} ${count === 1 ? 'action is' : 'actions are'} discarded.`);
      }),
  });
  addCommand(family, context, {
    usage: 'schema',
    summary: 'Print the SQL of a Postgres inbox',
    details: 'For a database administrator, if the role of the host may not create a schema or tables.',
    options: [schemaOption()],
    examples: [{ line: 'vitrine actions schema --schema clicks', note: 'for another schema than vitrine' }],
    run: async (run) => {
      const { postgresInboxSchema } = await import('@vitrine/server/actions');
      run.out.line(postgresInboxSchema(textOption(run.options, 'schema')).trimEnd());
    },
  });
  addCommand(family, context, {
    usage: 'export',
    summary: 'Write actions as NDJSON, oldest first',
    details:
      'The original bodies are included, so the output contains what viewers selected. Bodies that are not text are base64.',
    options: [inboxOption(), schemaOption(), stateOption()],
    examples: [{ line: 'vitrine actions export --state done', note: 'all handled actions' }],
    run: (run) =>
      withInbox(run, async (inbox) => {
        const { bodyOf, summaryOf } = await import('./actionSummary.ts');
        for await (const delivery of allOf(inbox, { states: readStates(run) }))
          run.out.line(JSON.stringify({ ...summaryOf(delivery), ...bodyOf(delivery) }));
      }),
  });
};
