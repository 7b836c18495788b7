import type { Kysely } from 'kysely';
import { type Param, preparedQuery } from '../database/preparedQuery.ts';
import type { Tables } from '../database/tables/tables.ts';

/** The item of a key request. */
export const findItem = preparedQuery((db, param: Param<{ tenantId: number; itemId: number }>) =>
  db
    .selectFrom('items')
    .select(['id', 'display_name', 'has_rls'])
    .where('tenant_id', '=', param('tenantId'))
    .where('id', '=', param('itemId')),
);

type RoleCodes = { readonly tenantId: number } & { readonly [code: `code${number}`]: string };

const prepareFindRoles = (count: number) =>
  preparedQuery((db, param: Param<RoleCodes>) =>
    db
      .selectFrom('roles')
      .select(['code', 'rule'])
      .where('tenant_id', '=', param('tenantId'))
      .where('type', '=', 'RLS')
      .where(
        'code',
        'in',
        Array.from({ length: count }, (_, place) => param(`code${place}`)),
      ),
  );

/** By how many codes they ask for: at most fifty, which the body allows. */
const preparedFindRoles = new Map<number, ReturnType<typeof prepareFindRoles>>();

const findRoles = (count: number): ReturnType<typeof prepareFindRoles> => {
  let find = preparedFindRoles.get(count);
  if (find === undefined) {
    find = prepareFindRoles(count);
    preparedFindRoles.set(count, find);
  }
  return find;
};

/** The RLS roles of a tenant with these codes; a code that no role has is missing from the result. */
export const findRlsRoles = (
  db: Kysely<Tables>,
  tenantId: number,
  codes: readonly string[],
): Promise<{ code: string | null; rule: string | null }[]> =>
  findRoles(codes.length)(db, {
    tenantId,
    ...Object.fromEntries(codes.map((code, place) => [`code${place}`, code])),
  });

/** The codes of all RLS roles of a tenant. */
export const readRlsRoleCodes = async (db: Kysely<Tables>, tenantId: number): Promise<string[]> => {
  const roles = await db
    .selectFrom('roles')
    .select('code')
    .where('tenant_id', '=', tenantId)
    .where('type', '=', 'RLS')
    .execute();
  return roles.flatMap(({ code }) => code ?? []);
};
