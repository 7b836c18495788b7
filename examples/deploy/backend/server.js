/**
 * One of several backends behind a load balancer: clicks in Postgres, limits in Redis, probes, and a shutdown that
 * loses no click.
 */
import { once } from 'node:events';
import { createServer } from 'node:http';
import { createClient } from '@redis/client';
import { createActions, portalFromEnv, postgresInbox, vitrine } from '@vitrine/express';
import express from 'express';
import { RateLimiterMemory, RateLimiterRedis } from 'rate-limiter-flexible';

const { DATABASE_SCHEMA: schema, DATABASE_URL, KEY_LIFETIME, PORT, REDIS_URL, WEBHOOK_SECRET } = process.env;
const redis = createClient({ url: REDIS_URL });
// Without a listener, an error ends the process. The rate limit counts in this process meanwhile.
redis.on('error', () => undefined);
await redis.connect();

const perMinute = { points: 120, duration: 60 };
const portal = portalFromEnv();
const actions = createActions({
  portal,
  secrets: WEBHOOK_SECRET,
  inbox: postgresInbox(DATABASE_URL, { ...(schema !== undefined && { schema }) }),
  audience: 'clicker',
});
const embed = vitrine({
  portal,
  actions,
  // oauth2-proxy, or your own sign-in proxy, sets this header and drops a header that a browser sends.
  viewer: (request) => {
    const userId = request.get('x-auth-request-email');
    return userId === undefined ? undefined : { userId, roleNames: ['region-north'] };
  },
  canView: (_viewer, itemId) => itemId === 1042,
  ...(KEY_LIFETIME !== undefined && { keyLifetime: KEY_LIFETIME }),
  rateLimit: new RateLimiterRedis({
    ...perMinute,
    storeClient: redis,
    useRedisPackage: true,
    insuranceLimiter: new RateLimiterMemory(perMinute),
    keyPrefix: 'vitrine',
  }),
});

const app = express();
app.use('/api/embed', embed);
app.get('/livez', (_request, response) => response.json({ isLive: embed.health().isLive }));
app.get('/readyz', (_request, response) => {
  const { isReady } = embed.health();
  response.status(isReady ? 200 : 503).json({ isReady });
});

const server = createServer(app);
server.keepAliveTimeout = 75_000;
// The load balancer has already stopped sending requests here: see nginx.conf and kubernetes.yaml.
process.once('SIGTERM', async () => {
  await actions.drain();
  const stopped = once(server, 'close');
  server.close();
  setTimeout(() => server.closeAllConnections(), 10_000).unref();
  await stopped;
  await actions.close();
  await embed.close();
  await redis.close();
  process.exit();
});
server.listen(Number(PORT ?? 3000), () => process.send?.(server.address().port));
