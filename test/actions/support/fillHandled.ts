import { DatabaseSync } from 'node:sqlite';
import { query } from '../../support/postgres.ts';

/** A body of typical size with unique bytes. */
const bodyBytes = 600;

/** Inserts that many handled deliveries into the tables of a SQLite inbox that has been opened once. */
export const fillSqlite = (file: string, rows: number): void => {
  const database = new DatabaseSync(file);
  database
    .prepare(
      `with recursive n (i) as (select 1 union all select i + 1 from n where i < ?)
       insert into deliveries (received_at, raw, digest, state, at, attempts)
       select 1000 + i, cast(printf('%-${bodyBytes}d', i) as blob), randomblob(32), 'done', 1000 + i, 1 from n`,
    )
    .run(rows);
  // Otherwise the next commit of the inbox would move everything from the log to the file.
  database.exec('pragma wal_checkpoint(truncate)');
  database.close();
};

/** The same for the schema of a Postgres inbox. */
export const fillPostgres = async (schema: string, rows: number): Promise<void> => {
  await query(
    `insert into ${schema}.deliveries (received_at, raw, digest, state, at, attempts)
     select 1000 + i, convert_to(rpad(i::text, ${bodyBytes}), 'utf8'), sha256(i::text::bytea), 'done', 1000 + i, 1
     from generate_series(1, ${rows}) i`,
  );
  // As after hours of work; otherwise Postgres would vacuum while something else is measured.
  await query(`vacuum analyze ${schema}.deliveries`);
  await query('checkpoint');
};
