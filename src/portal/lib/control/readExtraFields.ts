import type { Kysely } from 'kysely';
import type { Tables } from '../database/schema.ts';

/** Fields that the console edits and the service's own lists omit, by the IDs of the rows of the list `name`. */
export const readExtraFields = async (
  db: Kysely<Tables>,
  tenantId: number,
  name: string,
): Promise<ReadonlyMap<unknown, Readonly<Record<string, unknown>>>> => {
  if (name === 'roles') {
    const rows = await db
      .selectFrom('roles')
      .leftJoin('user_roles', 'user_roles.role_id', 'roles.id')
      .select(['roles.id', 'roles.rule'])
      .select(({ fn }) => fn.count<number>('user_roles.user_id').as('userCount'))
      .where('roles.tenant_id', '=', tenantId)
      .groupBy(['roles.id', 'roles.rule'])
      .execute();
    return new Map(
      rows.map(({ id, rule, userCount }) => [
        id,
        { rule: rule === null ? null : (JSON.parse(rule) as unknown), userCount },
      ]),
    );
  }
  if (name === 'items') {
    const rows = await db
      .selectFrom('items')
      .select(['id', 'has_rls', 'report'])
      .where('tenant_id', '=', tenantId)
      .execute();
    return new Map(rows.map((row) => [row.id, { hasRls: row.has_rls === 1, report: row.report }]));
  }
  return new Map();
};
