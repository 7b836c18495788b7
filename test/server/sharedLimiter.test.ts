import { createFetchHandler } from '@vitrine/server';
import pg from 'pg';
import { RateLimiterPostgres } from 'rate-limiter-flexible';
import { describe, expect, it, onTestFinished } from 'vitest';
import { keyRequest, viewerByHeader } from '../support/keyRequest.ts';
import { connectionTo, startStandInPortal } from '../support/standInPortal.ts';
import { hasPostgres, postgresUrl } from './actions/support/postgres.ts';

/** A limiter as one process of a host makes it: its own connections, the same table. */
const limiterOn = async (tableName: string): Promise<RateLimiterPostgres> => {
  const storeClient = new pg.Pool({ connectionString: postgresUrl, max: 2 });
  onTestFinished(() => storeClient.end());
  return await new Promise((resolve, reject) => {
    const limiter: RateLimiterPostgres = new RateLimiterPostgres(
      { storeClient, tableName, points: 5, duration: 60, keyPrefix: 'viewer' },
      (error?: Error) => (error === undefined || error === null ? resolve(limiter) : reject(error)),
    );
  });
};

describe.runIf(hasPostgres)('a limit that several processes share in Postgres', () => {
  it('lets a viewer through as often as it says, whichever process is asked', async () => {
    const tableName = `vitrine_limit_${process.pid}`;
    const portal = await startStandInPortal();
    onTestFinished(async () => {
      const client = new pg.Client({ connectionString: postgresUrl });
      await client.connect();
      await client.query(`drop table if exists ${tableName}`);
      await client.end();
      await portal.close();
    });
    const mount = async () => {
      const handler = createFetchHandler({
        portal: connectionTo(portal.url),
        viewer: viewerByHeader,
        canView: () => true,
        logger: false,
        rateLimit: { perViewer: await limiterOn(tableName), perTenant: false },
      });
      onTestFinished(() => handler.close());
      return handler;
    };
    const processes = [await mount(), await mount()];
    const statuses = await Promise.all(
      Array.from({ length: 12 }, async (_, n) => {
        const response = await processes[n % 2]?.(keyRequest(1000 + n, 'a@acme.example'));
        return response?.status;
      }),
    );
    expect(statuses.filter((status) => status === 200)).toHaveLength(5);
    expect(statuses.filter((status) => status === 429)).toHaveLength(7);
  });
});
