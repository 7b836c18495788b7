import { VitrineOptionsError } from '@vitrine/server';
import { checkChoice, checkOptions, ignoreErrors, type OptionNames } from '@vitrine/server/internal';
import { withTimeout } from '../../withTimeout.ts';
import type { ActionInbox } from '../actionInbox.ts';
import { createSqlInbox } from '../createSqlInbox.ts';
import { createSqlStore } from '../sql/sqlStore.ts';
import { listenForChanges } from './listenForChanges.ts';
import { callMs, createPostgresDriver } from './postgresDriver.ts';
import type { PostgresPool } from './postgresPool.ts';

/** Options of {@link postgresInbox}. */
export interface PostgresInboxOptions {
  /** Schema of the inbox's tables. Default: `vitrine`. */
  readonly schema?: string;
  /** What happens if the tables are missing: they are created (`create`, default), or every call fails. */
  readonly onMissing?: 'create' | 'fail';
  /** How long the same bytes count as a duplicate, in milliseconds. Default: 24 hours. */
  readonly duplicateWindowMs?: number;
  /** Receives errors outside of calls, such as a lost connection. Default: none, because calls fail too. */
  readonly onError?: (error: unknown) => void;
}

const optionNames: OptionNames<PostgresInboxOptions> = {
  schema: true,
  onMissing: true,
  duplicateWindowMs: [0, Number.MAX_SAFE_INTEGER],
  onError: true,
};

/** Why `pg` cannot use an address; undefined if it can. */
const faultOf = (address: string): string | undefined => {
  if (/^ | $/.test(address)) return 'begins or ends with a space';
  // A socket: its folder, and the database.
  if (address.startsWith('/')) return undefined;
  if (!/^(?:postgres(?:ql)?:\/\/|socket:)/i.test(address)) return 'does not begin with postgres://';
  const host = address.split(/[/?#]/)[2]?.split('@').at(-1);
  if (host?.includes(',')) return 'names several hosts';
  // A user without a host is only valid here.
  const isUrl = URL.canParse(address.replace('@/', '@localhost/'));
  return isUrl ? undefined : 'is not a URL; characters such as # and / in a password must be percent-encoded';
};

const checkConnection = (connection: string | PostgresPool): void => {
  const isPool = typeof connection === 'object' && connection !== null && 'connect' in connection;
  if (!isPool && (typeof connection !== 'string' || connection === ''))
    throw new VitrineOptionsError(
      'missing_inbox_connection',
      'postgresInbox() needs a connection string ("postgres://…") or a pool of `pg`.',
    );
  const fault = typeof connection === 'string' ? faultOf(connection) : undefined;
  if (fault !== undefined)
    throw new VitrineOptionsError(
      'invalid_inbox_connection',
      `The address of postgresInbox() ${fault}. Write postgres://user:password@host:5432/database, with one host.`,
    );
  const max = isPool ? connection.options?.max : undefined;
  if (max !== undefined && max < 2)
    throw new VitrineOptionsError(
      'inbox_pool_too_small',
      `The pool of postgresInbox() has ${max} connection(s); it needs at least 2, because one listens for changes. Raise \`max\`.`,
    );
};

/**
 * An inbox in Postgres, for hosts on several machines. Pass a connection string, which requires `pg`, or your own pool. The
 * tables are created at first use.
 *
 * @throws VitrineOptionsError `missing_inbox_connection`, `invalid_inbox_connection`, `inbox_pool_too_small`,
 * `invalid_inbox_schema`, `unknown_option`, `invalid_action_option`.
 *
 * @example
 * ```ts
 * import { postgresInbox } from '@vitrine/actions';
 *
 * const inbox = postgresInbox(process.env.DATABASE_URL ?? '');
 * ```
 */
export const postgresInbox = (
  connection: string | PostgresPool,
  options: PostgresInboxOptions = {},
): ActionInbox => {
  checkConnection(connection);
  checkOptions('postgresInbox', options, optionNames);
  checkChoice('onMissing', options.onMissing, ['create', 'fail']);
  const { schema = 'vitrine', duplicateWindowMs } = options;
  // It is used in SQL statements unquoted.
  if (!/^[a-z_][a-z0-9_]{0,40}$/.test(schema))
    throw new VitrineOptionsError(
      'invalid_inbox_schema',
      `The schema of postgresInbox() is ${JSON.stringify(schema)}; it must be lower-case letters, digits and underscores, at most 41, and must not begin with a digit.`,
    );
  const onError = ignoreErrors(options.onError ?? (() => undefined));
  const driver = createPostgresDriver({
    connection,
    schema,
    mayCreate: options.onMissing !== 'fail',
    onError,
  });
  const inbox = createSqlInbox({
    createStore: () => createSqlStore(driver, duplicateWindowMs),
    start: (onChange) => listenForChanges({ driver, channel: `${schema}_inbox`, onChange, onError }),
  });
  const limit = { what: 'Storing a delivery in Postgres', timeoutMs: callMs };
  // A delivery may wait for a batch that hangs.
  return { ...inbox, append: (delivery) => withTimeout(limit, () => inbox.append(delivery)) };
};
