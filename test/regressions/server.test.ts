import { timingSafeEqual } from 'node:crypto';
import { createActions, sqliteInbox, vitrine } from '@vitrine/express';
import express, { type Express } from 'express';
import { describe, expect, it, onTestFinished } from 'vitest';
import { mountActions } from '../actions/support/mountActions.ts';
import { secret } from '../actions/support/samples.ts';
import { serveUntilEnd } from '../support/serveUntilEnd.ts';
import { connectionTo, startStandInPortal } from '../support/standInPortal.ts';
import { onlyOurs } from './onlyOurs.ts';

/** How a hand-written receiver compares the token. Both variants have been shipped. */
type Comparison = 'bytes, once the lengths of the texts agree' | 'memory behind the bytes';

const comparisons: Record<Comparison, (seen: string, secret: string) => boolean> = {
  'bytes, once the lengths of the texts agree': (seen, secret) =>
    seen.length === secret.length && timingSafeEqual(Buffer.from(seen), Buffer.from(secret)),
  // Short Node buffers share memory, so that this compares it with itself.
  'memory behind the bytes': (seen, secret) =>
    seen.length === secret.length &&
    timingSafeEqual(new Uint8Array(Buffer.from(seen).buffer), new Uint8Array(Buffer.from(secret).buffer)),
};

/** The control: a hand-written webhook receiver, behind the usual parser with its usual limit. */
const createHandMadeReceiver = (secret: string, comparison: Comparison): Express => {
  const app = express();
  app.post('/', express.json(), (request, response) => {
    const token = request.get('authorization')?.replace('Bearer ', '') ?? '';
    response.sendStatus(comparisons[comparison](token, secret) ? 202 : 401);
  });
  return app;
};

/** The control: an endpoint that counts requests by the address that they claim. */
const createHandMadeLimit = (points: number): Express => {
  const app = express();
  app.set('trust proxy', true);
  const seen = new Map<string | undefined, number>();
  app.post('/api/embed/keys', ({ ip }, response) => {
    const count = (seen.get(ip) ?? 0) + 1;
    seen.set(ip, count);
    response.sendStatus(count > points ? 429 : 200);
  });
  return app;
};

/** Runs a check with one of our servers, and with a hand-written one. */
const compare = async <TFacts>(
  { ours, control }: { readonly ours: Express; readonly control: Express },
  check: (url: string) => Promise<TFacts>,
) => ({
  ours: await check(await serveUntilEnd(ours)),
  control: await check(await serveUntilEnd(control)),
});

const receivers = (comparison: Comparison) => {
  const inbox = sqliteInbox(':memory:');
  const actions = createActions({
    secrets: secret,
    inbox,
    audience: 'nobody',
    dispatch: false,
    logger: false,
  });
  onTestFinished(() => actions.close(0));
  const mount = mountActions(actions);
  const ours = express().post('/', (request, response) => {
    request.url = '/webhook';
    mount(request, response);
  });
  return { ours, control: createHandMadeReceiver(secret, comparison) };
};

const deliver = async (url: string, token: string, body = '{}'): Promise<number> => {
  const headers = { authorization: `Bearer ${token}`, 'content-type': 'application/json' };
  const response = await fetch(url, { method: 'POST', headers, body });
  await response.arrayBuffer();
  return response.status;
};

describe('faults of other servers, tested with ours and a hand-written one', () => {
  it('counts a viewer with several address spellings as one', async () => {
    const portal = await startStandInPortal();
    onTestFinished(() => portal.close());
    const keys = vitrine({
      portal: connectionTo(portal.url),
      viewer: () => ({ userId: 'north.manager@acme.example' }),
      canView: () => true,
      rateLimit: { points: 2, durationSeconds: 60 },
      logger: false,
    });
    onTestFinished(() => keys.close());
    const ours = express().set('trust proxy', 1).use('/api/embed', keys);
    const findings = await compare({ ours, control: createHandMadeLimit(2) }, async (url) => {
      const statuses: number[] = [];
      for (const address of [
        '203.0.113.7',
        '::ffff:203.0.113.7',
        '2001:db8::7',
        '2001:db8:0::7',
        '10.0.0.1',
      ]) {
        const response = await fetch(`${url}/api/embed/keys`, {
          method: 'POST',
          headers: {
            'content-type': 'application/json',
            'x-vitrine-request': '1',
            'x-forwarded-for': address,
          },
          body: '{"itemId":1042}',
        });
        await response.arrayBuffer();
        statuses.push(response.status);
      }
      return { statuses };
    });
    expect(findings).toEqual(onlyOurs({ statuses: [200, 200, 429, 429, 429] }));
  });

  it('rejects an invalid token of any length and bytes', async () => {
    const subjects = receivers('bytes, once the lengths of the texts agree');
    const findings = await compare(subjects, async (url) => {
      const statuses: number[] = [];
      for (const token of ['é'.repeat(secret.length), '', 'x'.repeat(8192), secret.slice(1), `${secret}x`])
        statuses.push(await deliver(url, token));
      return { statuses, right: await deliver(url, secret) };
    });
    expect(findings).toEqual(onlyOurs({ statuses: [401, 401, 401, 401, 401], right: 202 }));
  });

  it('rejects an invalid token of the correct length, wherever the two are in memory', async () => {
    const findings = await compare(receivers('memory behind the bytes'), async (url) => {
      const statuses = new Set<number>();
      // Occasionally the shared memory is full between the two.
      for (let times = 0; times < 5; times += 1) statuses.add(await deliver(url, 'b'.repeat(secret.length)));
      return { statuses: [...statuses] };
    });
    expect(findings).toEqual(onlyOurs({ statuses: [401] }));
  });

  it('accepts a delivery up to the limit of 5 MiB, above the usual 100 kB', async () => {
    const subjects = receivers('bytes, once the lengths of the texts agree');
    const findings = await compare(subjects, async (url) => {
      const statuses: number[] = [];
      for (const bytes of [100_000, 102_401, 1_000_000, 5 * 2 ** 20, 5 * 2 ** 20 + 1])
        statuses.push(await deliver(url, secret, `{"x":"${'x'.repeat(bytes - 8)}"}`));
      return { statuses };
    });
    expect(findings).toEqual(onlyOurs({ statuses: [202, 202, 202, 202, 413] }));
  });
});
