import type { Query, SqlDriver } from './sqlDriver.ts';

/** Version of the tables. */
export const schemaVersion = 2;

/**
 * Creates missing tables. `at` is when a pending delivery is due (a lease is an `at` in the future, so a crashed holder
 * needs no cleanup), or when it was settled. Cursors start at the current time, above those of a replaced file.
 */
export const createTables = async (
  query: Query,
  { bytes, identity }: Pick<SqlDriver, 'bytes' | 'identity'>,
): Promise<void> => {
  const statements = [
    `create table if not exists deliveries (
      id ${identity},
      received_at bigint not null,
      source text,
      encoding text,
      is_reserialized integer not null,
      raw ${bytes} not null,
      digest ${bytes} not null,
      duplicate_of bigint,
      state text not null default 'pending',
      at bigint not null,
      attempts integer not null default 0,
      lease text,
      last_error text,
      cursor bigint,
      publication text)`,
    'create index if not exists deliveries_state on deliveries (state, at, id)',
    'create index if not exists deliveries_state_id on deliveries (state, id)',
    'create index if not exists deliveries_digest on deliveries (digest, received_at, id)',
    'create unique index if not exists deliveries_cursor on deliveries (cursor) where cursor is not null',
    `create table if not exists effects (
      delivery_id bigint not null references deliveries (id) on delete cascade,
      key text not null,
      value text not null,
      primary key (delivery_id, key))`,
    'create table if not exists meta (key text primary key, value bigint not null)',
    `insert into meta (key, value) values ('version', ${schemaVersion}), ('cursor', now_ms())
      on conflict (key) do nothing`,
  ];
  for (const statement of statements) await query(statement);
};
