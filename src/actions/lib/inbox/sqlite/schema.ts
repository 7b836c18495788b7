/**
 * The inbox's tables. A lease is a `due_at` in the future, so that a crashed holder needs no clean-up; `lease` is its
 * fencing token, new and random each time. What was never attempted is due at 0, so that a clock which is set back does not
 * put it off; the others are moved with the clock, which `clock` remembers as it was when a due time was last written.
 */
export const schema = `
create table if not exists deliveries (
  id integer primary key autoincrement,
  received_at integer not null,
  digest blob not null,
  raw blob not null,
  duplicate_of integer,
  source text,
  encoding text,
  is_rebuilt integer not null default 0,
  spill_key text,
  state text not null default 'pending',
  attempts integer not null default 0,
  due_at integer not null,
  last_error text,
  settled_at integer,
  lease integer not null default 0
) strict;
create table if not exists clock (only_row integer primary key check (only_row = 1), at integer not null) strict;
drop index if exists deliveries_digest;
drop table if exists digests;
drop table if exists digests_mark;
create table if not exists fingerprints (run integer primary key, entries blob not null) strict;
create index if not exists deliveries_due on deliveries (due_at, id) where state = 'pending';
create unique index if not exists deliveries_spill on deliveries (spill_key) where spill_key is not null;
create table if not exists publications (
  cursor integer primary key autoincrement,
  delivery_id integer not null references deliveries (id) on delete cascade,
  published_at integer not null,
  reply text
) strict;
create index if not exists publications_delivery on publications (delivery_id);
create table if not exists effects (
  delivery_id integer not null references deliveries (id) on delete cascade,
  key text not null,
  value text,
  primary key (delivery_id, key)
) strict, without rowid;
`;

/** Rises when a new version of the tables needs steps beyond `create … if not exists`. */
export const schemaVersion = 4;

/** Whether a file was made before leases had a token of their own. */
export const lacksLease = `select not exists (select 1 from pragma_table_info('deliveries') where name = 'lease') as lacks`;

/** What such a file is given. */
export const addLease = 'alter table deliveries add column lease integer not null default 0';
