/** Names the inbox's objects and writes its tables. The queue itself is pg-boss's. */
export const postgresSchema = (schema: string, firstCursor: number): string => `
create schema if not exists ${schema};
create sequence if not exists ${schema}.publication_cursor start with ${firstCursor};
create table if not exists ${schema}.deliveries (
  id bigserial primary key,
  received_at bigint not null,
  raw bytea not null,
  digest bytea not null,
  duplicate_of bigint,
  source text,
  encoding text,
  is_rebuilt boolean not null default false,
  spill_key uuid unique,
  state text not null default 'pending',
  attempts integer not null default 0,
  due_at bigint not null,
  last_error text,
  settled_at bigint
);
alter table ${schema}.deliveries add column if not exists lease bigint not null default 0;
drop index if exists ${schema}.deliveries_digest;
create index if not exists deliveries_same on ${schema}.deliveries (digest, received_at, id);
create index if not exists deliveries_pending on ${schema}.deliveries (due_at) where state = 'pending';
create table if not exists ${schema}.publications (
  cursor bigint primary key default nextval('${schema}.publication_cursor'),
  delivery_id bigint not null references ${schema}.deliveries (id) on delete cascade,
  published_at bigint not null,
  reply jsonb
);
create index if not exists publications_delivery on ${schema}.publications (delivery_id);
create table if not exists ${schema}.effects (
  delivery_id bigint not null references ${schema}.deliveries (id) on delete cascade,
  key text not null,
  value jsonb,
  primary key (delivery_id, key)
);
`;

/** A name that needs no quoting, so that it can be written into SQL. */
export const isPlainName = (name: string): boolean => /^[a-z_][a-z0-9_]{0,40}$/.test(name);
