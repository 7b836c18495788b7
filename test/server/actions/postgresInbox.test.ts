import { postgresInbox } from '@vitrine/server';
import { describe, expect, it } from 'vitest';
import { claimAll, describeInbox } from './support/inboxBehaviour.ts';
import { hasPostgres, openPostgresInbox, temporarySchema } from './support/postgres.ts';
import { numberedBody } from './support/samples.ts';

describe.skipIf(!hasPostgres)('the Postgres inbox (needs a Postgres, see VITRINE_TEST_POSTGRES)', () => {
  describeInbox(() => openPostgresInbox(temporarySchema()));

  it('is shared by processes: each delivery is leased once, and all hear of all', async () => {
    const schema = temporarySchema();
    const inboxes = [1, 2, 3].map(() => openPostgresInbox(schema));
    const heard = inboxes.map((inbox) => {
      const published = Promise.withResolvers<void>();
      inbox.watch((change) => change === 'published' && published.resolve());
      return published.promise;
    });
    await Promise.all(
      Array.from({ length: 60 }, (_, n) =>
        inboxes[n % 3]!.append({ raw: numberedBody(n), receivedAtMs: Date.now() }),
      ),
    );
    const claims = await Promise.all(inboxes.map((inbox) => claimAll(inbox, 20)));
    expect(new Set(claims.flat().map(({ id }) => id)).size).toBe(60);
    await inboxes[0]!.settle(claims[0]![0]!, { kind: 'done' });
    await Promise.all(heard);
  });

  it('flags duplicates whichever process took them', async () => {
    const schema = temporarySchema();
    const inboxes = [openPostgresInbox(schema), openPostgresInbox(schema)];
    const receipts = await Promise.all(
      Array.from({ length: 40 }, (_, n) =>
        inboxes[n % 2]!.append({ raw: numberedBody(7), receivedAtMs: Date.now() }),
      ),
    );
    expect(receipts.filter(({ duplicateOf }) => duplicateOf === undefined)).toHaveLength(1);
  });

  it('gives the deliveries of an ended process to another when their lease has run out', async () => {
    const schema = temporarySchema();
    const first = postgresInboxOf(schema);
    await first.append({ raw: numberedBody(1), receivedAtMs: Date.now() });
    await claimAll(first, 1);
    await first.close();
    const second = openPostgresInbox(schema, { leaseMs: 1000 });
    await expect
      .poll(() => second.claim({ limit: 1, leaseMs: 1000 }), { timeout: 50_000, interval: 200 })
      .toMatchObject([{ id: '1', attempts: 2 }]);
  });

  it('starts with a database that starts later', async () => {
    const inbox = postgresInbox('postgres://postgres@127.0.0.1:1/postgres');
    await expect(inbox.append({ raw: numberedBody(1), receivedAtMs: 0 })).rejects.toThrow(/ECONNREFUSED/);
    expect(await inbox.health()).toMatchObject({ canPersist: false });
    await inbox.close();
  });
});

const postgresInboxOf = (schema: string) => openPostgresInbox(schema, { leaseMs: 1000 });

describe('options of the Postgres inbox', () => {
  it('needs a connection', () => {
    expect(() => postgresInbox('')).toThrow(/missing_inbox_connection/);
    expect(() => postgresInbox(undefined as never)).toThrow(/missing_inbox_connection/);
  });

  it.each(['Quoted', 'a b', '1st', 'x; drop schema public', ''])(
    'refuses %j as the name of a schema',
    (schema) => {
      expect(() => postgresInbox('postgres://host/database', { schema })).toThrow(/invalid_inbox_schema/);
    },
  );
});
