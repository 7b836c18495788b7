import { afterAll, beforeAll, describe, expect, it, onTestFinished } from 'vitest';
import { type Breakage, startBrokenService } from '../conformance/controls/startBrokenService.ts';
import { fc } from '../support/fc.ts';
import { sized } from '../support/size.ts';
import { administer } from './administer.ts';
import { testDatabases } from './databases.ts';
import { brokenHttp, writeBytes } from './fuzz/brokenHttp.ts';
import { describeFuzz } from './fuzz/describeFuzz.ts';
import { type FuzzedPortal, startFuzzedPortal } from './fuzz/fuzzedPortal.ts';
import { fuzzProperty } from './fuzz/fuzzProperty.ts';

const [, postgres] = await testDatabases('fuzz');

describe('the portal with invalid input', () => {
  describeFuzz({ requests: sized(200, 4_000), timeoutMs: 120_000 });
});

describe.skipIf(postgres === undefined)('the portal on Postgres with invalid input', () => {
  afterAll(() => postgres?.drop());
  describeFuzz({ requests: sized(75, 1_500), timeoutMs: 120_000, database: postgres?.address ?? '' });
});

describe('the portal with malformed HTTP', () => {
  let fuzzed: FuzzedPortal;
  beforeAll(async () => {
    fuzzed = await startFuzzedPortal();
  });
  afterAll(() => fuzzed.close());

  /** The effects of malformed bytes on the portal; empty if it rejected them and answers other requests as before. */
  const harmOf = async (bytes: string | Uint8Array): Promise<readonly string[]> => {
    const answer = await writeBytes(fuzzed.address.port, bytes);
    const { status } = await administer(fuzzed.acme, 'GET /v1/users?pageSize=1');
    return [
      ...(/^HTTP\/1\.1 (?:2|5)\d\d/.test(answer) ? [`answered ${answer.slice(0, 60)}`] : []),
      ...(answer.includes(fuzzed.rules.mark) ? ['data of another tenant'] : []),
      ...(status === 200 ? [] : [`a good request is answered ${status} afterward`]),
    ];
  };

  it.each(Object.entries(brokenHttp))('rejects %s and keeps running', async (_name, bytes) => {
    expect(await harmOf(bytes)).toEqual([]);
  });

  it('rejects random bytes and keeps running', async () => {
    const bytes = fc.oneof(
      fc.uint8Array({ minLength: 1, maxLength: 300 }),
      fc
        .string({ unit: 'binary', maxLength: 80 })
        .map((text) => Buffer.from(`GET /${text} HTTP/1.1\r\n\r\n`)),
      fc
        .string({ unit: 'binary', maxLength: 80 })
        .map((text) => Buffer.from(`GET / HTTP/1.1\r\n${text}\r\n\r\n`)),
    );
    await fc.assert(
      fc.asyncProperty(bytes, async (each) => {
        expect(await harmOf(each)).toEqual([]);
      }),
      { numRuns: 60 },
    );
  });
});

describe('control: generated requests detect a portal that', () => {
  let fuzzed: FuzzedPortal;
  beforeAll(async () => {
    fuzzed = await startFuzzedPortal();
  });
  afterAll(() => fuzzed.close());

  const broken: readonly (readonly [string, RegExp, Breakage])[] = [
    [
      'fails on "__proto__"',
      /status 500/,
      {
        answer: (answer, { body }) => (body?.includes('__proto__') ? { ...answer, status: 500 } : answer),
      },
    ],
    [
      'closes the connection when a body is nested deeply',
      /no answer/,
      {
        answer: (answer, { body }) => {
          if (body?.includes('[[[[[[[[[[')) throw new Error('too deep');
          return answer;
        },
      },
    ],
    [
      'shows the users of another tenant',
      /data of another tenant/,
      {
        answer: async (answer, request, ask) =>
          answer.status === 404 && request.url.includes('/v1/users/')
            ? ask({ ...request, headers: { authorization: `Bearer ${fuzzed.initech.apiKey}` } })
            : answer,
      },
    ],
    [
      'omits the fields of an error',
      /names none of/,
      {
        answer: (answer) => ({
          ...answer,
          text: answer.text.replace(/"validationErrors":\[.*?\](?=,"requestId")/, '"validationErrors":[]'),
        }),
      },
    ],
    [
      'repeats the key in its errors',
      /a secret/,
      {
        answer: (answer, { headers }) =>
          answer.status === 400 ? { ...answer, text: `${answer.text} ${headers['authorization']}` } : answer,
      },
    ],
    [
      'rejects without a message',
      /without a sentence/,
      { answer: (answer) => (answer.status === 404 ? { ...answer, text: '{}' } : answer) },
    ],
  ];

  it.each(broken)('%s', async (_name, complaint, breakage) => {
    const { acme, initech, rules, address } = fuzzed;
    const target = {
      ...acme,
      secondTenant: initech,
      tenantIdHeader: 'Svc.TenantId',
      permits: new Set<never>(),
    };
    const service = await startBrokenService(target, breakage);
    onTestFinished(() => service.close());
    const port = Number(new URL(service.target.baseUrl).port);
    const found = await fc.check(fuzzProperty(rules, { ...address, port }), {
      numRuns: 1500,
      seed: 1,
      endOnFailure: true,
    });
    expect(found.failed).toBe(true);
    expect(String(found.errorInstance)).toMatch(complaint);
  });
});
