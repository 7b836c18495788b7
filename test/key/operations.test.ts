import { setTimeout as delay } from 'node:timers/promises';
import { createFetchHandler, type KeyAuditRecord, type VitrineOptions } from '@vitrine/server';
import { afterEach, beforeEach, describe, expect, it, onTestFinished } from 'vitest';
import { keyRequest, viewerByHeader } from '../support/keyRequest.ts';
import { recordLog } from '../support/recordLog.ts';
import {
  connectionTo,
  envelopeOf,
  refusalOf,
  type StandInPortal,
  startStandInPortal,
} from '../support/standInPortal.ts';

let portal: StandInPortal;
beforeEach(async () => {
  portal = await startStandInPortal();
});
afterEach(() => portal.close());

const mount = (options: Partial<VitrineOptions<Request>> = {}) => {
  const logger = recordLog();
  const audited: KeyAuditRecord[] = [];
  const handler = createFetchHandler({
    portal: connectionTo(portal.url),
    viewer: viewerByHeader,
    canView: () => true,
    audit: (record) => void audited.push(record),
    rateLimit: { points: 1e6, durationSeconds: 60 },
    upstream: { retry: false },
    logger,
    ...options,
  });
  onTestFinished(() => handler.close());
  const ask = async (request: Request) => {
    const response = await handler(request);
    const body = response.status === 499 ? undefined : await response.json();
    return { status: response.status, headers: response.headers, body };
  };
  return { ask, handler, audited, lines: logger.lines };
};

const withHeaders = (headers: Record<string, string>, itemId: unknown = 1042): Request => {
  const request = keyRequest(itemId);
  for (const [name, value] of Object.entries(headers)) request.headers.set(name, value);
  return request;
};
const crossSite = () => withHeaders({ 'sec-fetch-site': 'cross-site' });

describe('the log', () => {
  it.each([
    ['an item that does not exist', 404, refusalOf(404, 'No item.'), 'warn'],
    ['a rate limit of the portal', 429, '', 'info'],
    ['a wrong passphrase', 500, refusalOf(0, 'Wrong.'), 'error'],
    ['a failing portal', 503, '', 'warn'],
  ] as const)('uses a level by cause: %s', async (...[, status, body, level]) => {
    portal.answer = () => ({ status, body });
    const { ask, lines } = mount();
    await ask(keyRequest(9999));
    expect(lines).toMatchObject([{ level, fields: { itemId: 9999, problem: expect.any(String) } }]);
    if (status === 404)
      expect(lines[0]?.fields['problem']).toBe(
        'The portal has no item 9999. The portal refused to create a key (status 404): "No item".',
      );
  });
});

describe('a local limit', () => {
  it('is named once for each viewer and period when it is reached', async () => {
    const { ask, lines } = mount({ rateLimit: { points: 1, durationSeconds: 60 } });
    for (let n = 0; n < 9; n += 1) await ask(keyRequest(1));
    expect(lines.filter(({ level }) => level !== 'debug')).toMatchObject([
      {
        level: 'warn',
        fields: {
          problem: "This host's limit rateLimit is reached: 1 per 60 s.",
          hint: 'If the load is legitimate, raise rateLimit.',
        },
      },
    ]);
  });
});

describe('a secret rotation', () => {
  const { apiKey, passPhrase } = connectionTo('');
  const rotating = () => ({
    ...connectionTo(portal.url),
    apiKey: ['new-api-key-0123456789', apiKey],
    passPhrase: ['new-pass-phrase-0123', passPhrase],
  });
  const accepting = (accepted: { key: string; phrase: string }) => {
    portal.answer = ({ headers, body }) => {
      if (headers.authorization !== `ApiKey ${accepted.key}`)
        return { status: 401, body: refusalOf(401, 'Unknown.') };
      return JSON.parse(body).passPhrase === accepted.phrase
        ? { body: envelopeOf('abc') }
        : { status: 500, body: refusalOf(0, 'Wrong.') };
    };
  };

  it('warns once while the portal accepts only the previous secret, and not when it accepts the newest', async () => {
    accepting({ key: apiKey, phrase: passPhrase });
    const { ask, handler, lines } = mount({ portal: rotating() });
    for (let n = 1; n < 4; n += 1) expect(await ask(keyRequest(n))).toMatchObject({ status: 200 });
    expect(lines).toMatchObject([
      { level: 'warn', fields: { code: 'previous_secret_used', secret: 'apiKey', tenancyName: 'acme' } },
      { level: 'warn', fields: { code: 'previous_secret_used', secret: 'passPhrase' } },
    ]);
    accepting({ key: 'new-api-key-0123456789', phrase: 'new-pass-phrase-0123' });
    expect(await ask(keyRequest(9))).toMatchObject({ status: 200 });
    expect(lines).toHaveLength(2);
    expect(JSON.stringify([lines, handler.health()])).not.toContain('0123456789');
  });

  it.each([
    [403, { message: 'Invalid API key' }],
    [400, { message: 'Invalid API key' }],
    [500, refusalOf(0, 'The API key is not valid')],
    [200, refusalOf(0, 'The API key is not valid')],
  ])(
    'uses the previous API key where the portal refuses the new one with status %i',
    async (status, body) => {
      portal.answer = ({ headers }) =>
        headers.authorization === `ApiKey ${apiKey}` ? { body: envelopeOf('abc') } : { status, body };
      const { ask } = mount({ portal: rotating() });
      expect(await ask(keyRequest(1))).toMatchObject({ status: 200 });
    },
  );

  it('logs no secret that the function portal returned before, in an error of the portal or the host', async () => {
    const message = 'former-key-0123 former-phrase-0123 current-key-0123 another-key-0123';
    portal.answer = () => ({ status: 500, body: refusalOf(0, message) });
    let name = 'former';
    const { ask, lines } = mount({
      portal: () => ({
        ...connectionTo(portal.url),
        apiKey: `${name}-key-0123`,
        passPhrase: `${name}-phrase-0123`,
      }),
      canView: (_viewer, itemId) => {
        if (itemId === 3) throw new Error(message);
        return true;
      },
    });
    for (const itemId of [1, 2, 3]) {
      await ask(keyRequest(itemId));
      name = 'current';
    }
    expect(lines.slice(-2).map(({ fields }) => JSON.stringify(fields))).toEqual([
      expect.stringContaining('*** *** *** another-key-0123'),
      expect.stringContaining('*** *** *** another-key-0123'),
    ]);
    expect(JSON.stringify(lines[1])).not.toContain('former-');
  });

  it('gives keys to requests that overlap, whichever of two secrets portal() returns for each', async () => {
    let count = 0;
    const { ask, lines } = mount({
      portal: () => ({ ...connectionTo(portal.url), apiKey: `api-key-${(count += 1) % 2}-0123456789` }),
      canView: async () => await delay(20, true),
    });
    const answers = await Promise.all(Array.from({ length: 20 }, (_, index) => ask(keyRequest(1 + index))));
    expect(answers.map(({ status }) => status)).toEqual(answers.map(() => 200));
    expect(lines).toEqual([]);
  });

  it('logs nothing while the newest secret is accepted', async () => {
    accepting({ key: 'new-api-key-0123456789', phrase: 'new-pass-phrase-0123' });
    const { ask, lines } = mount({ portal: rotating() });
    expect(await ask(keyRequest(1))).toMatchObject({ status: 200 });
    expect(lines).toEqual([]);
  });
});

describe('clock comparison', () => {
  const shifted = (ms: number) => {
    portal.answer = () => ({
      headers: { date: new Date(Date.now() + ms).toUTCString() },
      body: envelopeOf('abc'),
    });
  };

  it.each([
    [120_000, 'ahead of'],
    [-120_000, 'behind'],
  ])('warns once when the Date of the portal is %i ms off', async (ms, where) => {
    shifted(ms);
    const { ask, lines } = mount();
    await ask(keyRequest(1));
    await ask(keyRequest(2));
    expect(lines).toMatchObject([
      { level: 'warn', fields: { code: 'clock_skew' }, message: expect.stringContaining(where) },
    ]);
    const skewMs = Number(lines[0]?.fields['clockSkewMs']);
    expect(Math.abs(skewMs - ms)).toBeLessThan(5000);
  });

  it('warns again when the clock is wrong again after it was right', async () => {
    const { ask, lines } = mount();
    for (const [index, ms] of [120_000, 0, 120_000].entries()) {
      shifted(ms);
      await ask(keyRequest(1 + index));
    }
    expect(lines.map(({ fields }) => fields['code'])).toEqual(['clock_skew', 'clock_skew']);
  });

  it('allows a difference of a few seconds', async () => {
    shifted(-5000);
    const { ask, lines } = mount();
    expect(await ask(keyRequest(1))).toMatchObject({ status: 200 });
    expect(lines).toEqual([]);
  });
});

describe('the request ID', () => {
  it('is taken from x-request-id, passed on to the portal, and returned', async () => {
    const { ask, audited } = mount();
    const { headers } = await ask(withHeaders({ 'x-request-id': 'edge-7f3a' }));
    expect(headers.get('x-request-id')).toBe('edge-7f3a');
    expect(portal.calls[0]?.headers['x-request-id']).toBe('edge-7f3a');
    expect(audited).toMatchObject([{ requestId: 'edge-7f3a' }]);
  });

  it('is in the problem document and the log', async () => {
    portal.answer = () => ({ status: 503, body: '' });
    const { ask, lines } = mount();
    const { body } = await ask(withHeaders({ 'x-request-id': 'edge-7f3a' }));
    expect([body.requestId, lines[0]?.fields['requestId']]).toEqual(['edge-7f3a', 'edge-7f3a']);
  });

  it.each(['', 'a b', 'x'.repeat(129), 'ü', '{}'])('is generated when %j was sent', async (id) => {
    const { ask, audited } = mount();
    const { headers } = await ask(withHeaders({ 'x-request-id': id }));
    expect(headers.get('x-request-id')).toBeNull();
    expect(audited[0]?.requestId).toMatch(/^[0-9a-f-]{36}$/);
    expect(portal.calls[0]?.headers['x-request-id']).toBe(audited[0]?.requestId);
  });
});

describe('the audit hook', () => {
  it('is called for each key that was issued or denied, without the key', async () => {
    portal.answer = () => ({ body: envelopeOf('Xw91-embed-key-Qm') });
    const { ask, audited } = mount({ canView: (_, itemId) => itemId !== 7 });
    await ask(keyRequest(1042, 'a'));
    await ask(keyRequest(7, 'a'));
    await ask(crossSite());
    expect(audited).toEqual([
      {
        timeMs: expect.closeTo(Date.now(), -5),
        requestId: expect.any(String),
        userId: 'a',
        itemId: 1042,
        tenancyName: 'acme',
        outcome: 'issued',
        durationMs: expect.any(Number),
      },
      expect.objectContaining({ outcome: 'report_unavailable', itemId: 7, userId: 'a' }),
      expect.objectContaining({ outcome: 'cross_site_request', userId: undefined, itemId: undefined }),
    ]);
    expect(JSON.stringify(audited)).not.toContain('Xw91');
  });

  it('changes nothing when it throws', async () => {
    const { ask } = mount({
      audit: () => {
        throw new Error('audit log is full');
      },
    });
    expect(await ask(keyRequest(1042))).toMatchObject({ status: 200 });
  });
});

describe('a proxy that does not pass the Host header', () => {
  it('is named in the 403, with the missing header', async () => {
    const { ask, lines } = mount();
    const headers = { origin: 'https://app.acme.example', host: 'backend:3000' };
    const { status, body } = await ask(withHeaders(headers));
    expect(status).toBe(403);
    expect(body.detail).toContain('the header Origin is "https://app.acme.example"');
    expect(body.detail).toContain('the header Host is "backend:3000"');
    expect(lines[0]?.fields['hint']).toContain('proxy_set_header Host');
  });
});
