import { type Compilable, type CompiledQuery, type Kysely, type RawBuilder, sql } from 'kysely';
import type { Tables } from './tables/tables.ts';

/** Stands for a value in a query that is compiled before the value is known. */
class Placeholder {
  readonly name: string;
  constructor(name: string) {
    this.name = name;
  }
}

/** Puts a placeholder into a query under construction. */
export type Param<TParams> = <TName extends keyof TParams & string>(
  name: TName,
) => RawBuilder<TParams[TName]>;

/**
 * Makes a query that is built and compiled once for each kind of database, and from then on only given its values:
 * building costs several times what SQLite needs to answer.
 */
export const preparedQuery = <TParams extends object, TRow>(
  build: (db: Kysely<Tables>, param: Param<TParams>) => Compilable<TRow>,
): ((db: Kysely<Tables>, params: TParams) => Promise<TRow[]>) => {
  /** By adapter: a database and its transactions share theirs. */
  const compiled = new WeakMap<object, CompiledQuery<TRow>>();
  return async (db, params) => {
    const { adapter } = db.getExecutor();
    let query = compiled.get(adapter);
    if (query === undefined) {
      query = build(db, (name) => sql`${new Placeholder(name)}`).compile();
      compiled.set(adapter, query);
    }
    const parameters = query.parameters.map((value) =>
      value instanceof Placeholder ? Reflect.get(params, value.name) : value,
    );
    return (await db.executeQuery<TRow>({ ...query, parameters })).rows;
  };
};
