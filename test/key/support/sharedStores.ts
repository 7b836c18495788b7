import { createClient } from '@redis/client';
import type { SharedLimiter } from '@vitrine/server';
import pg from 'pg';
import { RateLimiterPostgres, RateLimiterRedis } from 'rate-limiter-flexible';
import { hasPostgres, postgresUrl } from '../../support/postgres.ts';

/** Stores that several processes can count in. */
export type StoreName = 'postgres' | 'redis';

/** The Redis for tests: `VITRINE_TEST_REDIS`, or the one on the local address of a CI machine. */
export const redisUrl = process.env['VITRINE_TEST_REDIS'] ?? 'redis://127.0.0.1:6379';

const redisClient = () => {
  const client = createClient({
    url: redisUrl,
    socket: { connectTimeout: 2000, reconnectStrategy: false },
  });
  // An error is also an event; the caller of the command sees failures.
  client.on('error', () => undefined);
  return client;
};

/** The stores that respond here; the tests of the others are reported as skipped. */
export const availableStores: Readonly<Record<StoreName, boolean>> = {
  postgres: hasPostgres,
  redis: await redisClient()
    .connect()
    .then(
      (client) => (client.destroy(), true),
      () => false,
    ),
};

const limit = { points: 5, duration: 60 };

/** A limiter as one process of a host creates it: its own connections, the same names in the store. */
export const openLimiter = async (store: StoreName, name: string): Promise<SharedLimiter> => {
  if (store === 'redis') {
    const storeClient = redisClient();
    await storeClient.connect();
    return new RateLimiterRedis({ storeClient, ...limit, keyPrefix: name, useRedisPackage: true });
  }
  const storeClient = new pg.Pool({ connectionString: postgresUrl, max: 2 });
  return await new Promise((resolve, reject) => {
    const limiter: RateLimiterPostgres = new RateLimiterPostgres(
      { storeClient, tableName: name, ...limit, keyPrefix: 'viewer' },
      (error?: Error) => (error === undefined || error === null ? resolve(limiter) : reject(error)),
    );
  });
};
