/**
 * A portal in its own process that can kill itself: after a number of statements it sends itself SIGKILL, whatever it
 * is doing. As a control it can also work without transactions.
 */
import { DatabaseSync, StatementSync } from 'node:sqlite';
import { createPortal } from '@vitrine/portal';

/** When a portal kills itself. */
export interface Death {
  /** Statements it still runs. */
  readonly afterStatements: number;
  /** After them it waits for a statement that starts like this; undefined: any. */
  readonly beforeStatement?: string;
}

/** What the parent passes in the environment. */
export interface PortalProcessOptions {
  readonly database: string;
  /** Skips every begin, commit and rollback. */
  readonly isUnsafe: boolean;
}

const options = JSON.parse(process.env['VITRINE_KILL'] ?? '{}') as PortalProcessOptions;

/** Observes every call of a method, and may change its arguments. */
const beforeEach = <TSelf extends object>(
  prototype: TSelf,
  name: string,
  look: (values: unknown[], self: TSelf) => unknown[],
): void => {
  const original = Reflect.get(prototype, name) as (...values: unknown[]) => unknown;
  Reflect.set(prototype, name, function (this: TSelf, ...values: unknown[]) {
    return Reflect.apply(original, this, look(values, this));
  });
};

const isBoundary = (sql: unknown) => /^\s*(?:begin|commit|rollback|savepoint|release)/i.test(String(sql));
beforeEach(DatabaseSync.prototype, 'prepare', ([sql, ...rest]) => [
  options.isUnsafe && isBoundary(sql) ? 'select 1 where 0' : sql,
  ...rest,
]);

let statementsLeft = Number.POSITIVE_INFINITY;
let lastWords = '';
for (const name of ['run', 'all'])
  beforeEach(StatementSync.prototype, name, (values, statement) => {
    statementsLeft -= 1;
    if (statementsLeft < 0 && statement.sourceSQL.startsWith(lastWords)) process.kill(process.pid, 'SIGKILL');
    return values;
  });

process.on('message', ({ afterStatements, beforeStatement = '' }: Death) => {
  statementsLeft = afterStatements;
  lastWords = beforeStatement;
});
const portal = await createPortal({ database: options.database });
process.send?.(portal.tenants[0]);
