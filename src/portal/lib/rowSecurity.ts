import { z } from 'zod';
import { type Place, rowsOf } from './database/tenantRows.ts';

/** The rows that an RLS role opens. Several roles add up. */
export type RowRule =
  | { kind: 'all' }
  | { kind: 'equals'; column: 'region' | 'product'; value: string }
  | { kind: 'username'; column: 'owner' };

/** A {@link RowRule} in a seed or a request. */
export const rowRuleSchema = z.discriminatedUnion('kind', [
  z.strictObject({ kind: z.literal('all') }),
  z.strictObject({ kind: z.literal('equals'), column: z.enum(['region', 'product']), value: z.string() }),
  z.strictObject({ kind: z.literal('username'), column: z.literal('owner') }),
]) satisfies z.ZodType<RowRule, RowRule>;

/** An RLS role. */
export interface RlsRole {
  readonly code: string;
  /** Null opens no rows. */
  readonly rule: RowRule | null;
}

/** The RLS roles of a tenant, in order of creation. */
export const readRlsRoles = async (place: Place): Promise<RlsRole[]> =>
  (await rowsOf(place, 'roles'))
    .filter(({ type }) => type === 'RLS')
    // Every RLS role has a code, and only values of the schema are written.
    .map(({ code, rule }) => ({ code: code ?? '', rule: rule as RowRule | null }));

/** A row of a report, with the columns that a rule may compare. */
export type SecuredRow = Readonly<Record<string, string | number>>;

/** What a key says about its viewer. */
interface Viewer {
  readonly userId: string;
  readonly roleNames: readonly string[];
}

/**
 * Decides which rows of a report with row-level security a key opens: those that any rule of its roles opens, so a role
 * without a rule opens none. Without roles, only the rules that compare with the user apply, which leaves the rows for
 * `userId` (docs/interface.md#4.6). A row without the compared column stays closed.
 */
export const opensRow = (
  roles: readonly RlsRole[],
  { userId, roleNames }: Viewer,
): ((row: SecuredRow) => boolean) => {
  const rules = roles
    .filter(({ code, rule }) => (roleNames.length > 0 ? roleNames.includes(code) : rule?.kind === 'username'))
    .flatMap(({ rule }) => rule ?? []);
  // USERNAME() of a DAX rule compares ignoring case.
  const user = userId.toLowerCase();
  return (row) =>
    rules.some((rule) => {
      switch (rule.kind) {
        case 'all':
          return true;
        case 'equals':
          return row[rule.column] === rule.value;
        case 'username':
          return String(row[rule.column] ?? '').toLowerCase() === user;
      }
    });
};
