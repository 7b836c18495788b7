import {
  type ActionInbox,
  type ActionsOptions,
  createActions,
  postgresInbox,
  sqliteInbox,
} from '@vitrine/server/actions';
import { describe, expect, it, onTestFinished } from 'vitest';
import { cursorOf } from './support/log.ts';
import { mountActions } from './support/mountActions.ts';
import { hasPostgres, postgresUrl, proxyToPostgres, temporarySchema } from './support/postgres.ts';
import { secret } from './support/samples.ts';

/** A host with this inbox. */
const startHost = (inbox: ActionInbox, options: Partial<ActionsOptions> = {}) => {
  const actions = createActions({
    secrets: secret,
    inbox,
    audience: 'nobody',
    logger: false,
    ...options,
  });
  onTestFinished(() => actions.close(0));
  return mountActions(actions);
};

describe('the address of a Postgres inbox', () => {
  it.each([
    'postgres://app:hunter2@10.0.0.1:5432,10.0.0.2:5432/shop?target_session_attrs=read-write',
    'postgres://app:hunter2@one,two/shop',
    ' postgres://app:hunter2@127.0.0.1:5432/shop',
    'postgres://app:hunter2@127.0.0.1:5432/shop ',
    'host=127.0.0.1 user=app password=hunter2 dbname=shop',
    '127.0.0.1:5432/shop',
    'mysql://app:hunter2@127.0.0.1/shop',
    '"postgres://app:hunter2@127.0.0.1/shop"',
    'postgres://app:hunter2#1@127.0.0.1:5432/shop',
    'postgres://app:hunter2/1@127.0.0.1:5432/shop',
    'postgres://app:hunter2@127.0.0.1:port/shop',
    'postgres://app:80/hunter2#rd@127.0.0.1/shop',
    'postgres://app:80#hunter2@127.0.0.1/shop',
    'postgres://app:hunter2@127.0.0.1:99999/shop',
    'postgres://',
    'postgresql:// ',
  ])('fails at start, without quoting its password, when it cannot be used: %j', (address) => {
    expect(() => postgresInbox(address)).toThrow(expect.objectContaining({ code: 'invalid_option' }));
    expect(() => postgresInbox(address)).toThrow('postgres://user:password@host:5432/database');
    expect(() => postgresInbox(address)).not.toThrow('hunter2');
  });

  it.each([
    'postgres://host/shop',
    'postgresql://app:a,b%23c d@[::1]:5432/shop?sslmode=require',
    'postgres://app@/shop?host=/var/run/postgresql',
    'postgres://%2Fvar%2Frun%2Fpostgresql/shop',
    'postgres:///shop',
    'postgres://app@host/shop\n',
    'socket:/var/run/postgresql?db=shop',
    '/var/run/postgresql shop',
  ])('control: %j is accepted', async (address) => {
    const inbox = postgresInbox(address);
    await inbox.close();
    expect(inbox).toHaveProperty('append');
  });
});

describe('a host whose inbox does not respond', () => {
  it('is not ready, and says why', async () => {
    const embed = startHost(postgresInbox('postgres://app:hunter2@127.0.0.1:1/shop'));
    expect(embed.health()).toMatchObject({ isLive: true, isReady: false });
    await expect.poll(() => embed.health().reason, { timeout: 20_000 }).toContain('ECONNREFUSED');
    expect(embed.health().isReady).toBe(false);
    expect(JSON.stringify(embed.health())).not.toContain('hunter2');
  });

  it('control: is ready with an inbox that responds', async () => {
    const embed = startHost(sqliteInbox(':memory:'));
    await expect.poll(() => embed.health().isReady, { timeout: 20_000 }).toBe(true);
    expect(embed.health()).not.toHaveProperty('reason');
  });

  describe.skipIf(!hasPostgres)('(needs Postgres, see VITRINE_TEST_POSTGRES)', () => {
    it.each([undefined, false as const])(
      'is ready from the first contact on, with dispatch: %s',
      async (dispatch) => {
        const proxy = await proxyToPostgres();
        proxy.cut();
        const inbox = postgresInbox(proxy.url, { schema: temporarySchema() });
        const embed = startHost(inbox, dispatch === false ? { dispatch } : {});
        await expect.poll(() => embed.health().reason, { timeout: 20_000 }).toContain('does not respond');
        proxy.restore();
        await expect.poll(() => embed.health().isReady, { timeout: 20_000 }).toBe(true);
        proxy.cut();
        await expect(cursorOf(inbox)).rejects.toThrow(/connect/i);
        expect(embed.health().isReady).toBe(true);
      },
    );

    it('is not ready while the tables are missing', async () => {
      const schema = temporarySchema();
      const embed = startHost(postgresInbox(postgresUrl, { schema, onMissing: 'fail' }));
      await expect
        .poll(() => embed.health().reason, { timeout: 20_000 })
        .toContain('does not contain an action inbox');
      await postgresInbox(postgresUrl, { schema }).close();
      expect(embed.health().isReady).toBe(false);
    });
  });
});
