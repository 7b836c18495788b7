import type { Expression, ExpressionBuilder, Kysely, SqlBool } from 'kysely';
import type { Tables } from '../database/tables/tables.ts';
import type { RowRule } from '../seed/seedSchema.ts';

/**
 * The rules behind role codes; a code without a rule opens nothing. Without codes the rules that compare with the user
 * remain: the rows that `userId` alone allows (docs/interface.md#4.6).
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
  // Rules are written by the seed's schema and by nothing else.
  const rules = roles.flatMap(({ rule }) => (rule === null ? [] : [JSON.parse(rule) as RowRule]));
  return roleCodes.length > 0 ? rules : rules.filter(({ kind }) => kind === 'username');
};

type FilteredTable = 'sales_rows' | 'order_rows';

/** What a viewer may see: everything, or the rows any of the rules opens. */
export type RowAccess =
  | { readonly kind: 'everything' }
  | { readonly kind: 'rules'; readonly rules: readonly RowRule[]; readonly userId: string };

/**
 * The condition that keeps a viewer's rows: the rules add up, and no rule means no row. `userId` stands where a DAX
 * rule would say USERNAME(), compared without regard to case as the BI platform does.
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
