import { type Compilable, type CompiledQuery, type Kysely, type RawBuilder, sql } from 'kysely';
import type { Tables } from './schema.ts';

/** Placeholder for a value in a precompiled query. */
class Placeholder {
  readonly name: string;
  constructor(name: string) {
    this.name = name;
  }
}

/** Adds a placeholder to a query. */
export type Param<TParams> = <TName extends keyof TParams & string>(
  name: TName,
) => RawBuilder<TParams[TName]>;

/**
 * Creates a query that is compiled once per kind of database and then only gets values: compiling takes several times
 * as long as SQLite's execution.
 */
export const preparedQuery = <TParams extends object, TRow>(
  build: (db: Kysely<Tables>, param: Param<TParams>) => Compilable<TRow>,
): ((db: Kysely<Tables>, params: TParams) => Promise<TRow[]>) => {
  /** By adapter, which a database and its transactions share. */
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
