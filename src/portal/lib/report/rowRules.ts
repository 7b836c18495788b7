import type { Expression, ExpressionBuilder, Kysely, SqlBool } from 'kysely';
import type { Tables } from '../database/tables/tables.ts';
import type { RowRule } from '../seed/portalSeed.ts';

/**
 * The rules of role codes; a code without a rule opens nothing. Without codes, only the rules that compare with the
 * user apply: the rows for `userId` (docs/interface.md#4.6).
 */
export const findRowRules = async (
  db: Kysely<Tables>,
  tenantId: number,
  roleCodes: readonly string[],
): Promise<RowRule[]> => {
  const roles = await db
    .selectFrom('roles')
    .select('rule')
    .where('tenant_id', '=', tenantId)
    .where('type', '=', 'RLS')
    .$if(roleCodes.length > 0, (query) => query.where('code', 'in', [...roleCodes]))
    .execute();
  // Only the seed's schema writes rules.
  const rules = roles.flatMap(({ rule }) => (rule === null ? [] : [JSON.parse(rule) as RowRule]));
  return roleCodes.length > 0 ? rules : rules.filter(({ kind }) => kind === 'username');
};

type FilteredTable = 'sales_rows' | 'order_rows';

/** The rows that a viewer may see: all, or those that any of the rules opens. */
export type RowAccess =
  | { readonly kind: 'everything' }
  | { readonly kind: 'rules'; readonly rules: readonly RowRule[]; readonly userId: string };

/**
 * The condition for a viewer's rows: rules add up, and without rules there are no rows. `userId` replaces USERNAME() of
 * a DAX rule, compared ignoring case, as in the BI platform.
 */
export const rowCondition =
  (access: RowAccess) =>
  (builder: ExpressionBuilder<Tables, FilteredTable>): Expression<SqlBool> => {
    if (access.kind === 'everything') return builder.val(1).$castTo<SqlBool>();
    return builder.or(
      access.rules.map((rule) => {
        switch (rule.kind) {
          case 'all':
            return builder(builder.val(1), '=', 1);
          case 'equals':
            return builder(rule.column, '=', rule.value);
          case 'username':
            return builder(builder.fn<string>('lower', [rule.column]), '=', access.userId.toLowerCase());
        }
      }),
    );
  };
