import { inspect } from 'node:util';
import {
  createPortalClient,
  createRedactor,
  type PortalConnection,
  parsePortalConnection,
  Secret,
} from '@vitrine/portal-client';
import { createFetchHandler, type Logger } from '@vitrine/server';
import { describe, expect, it } from 'vitest';
import { refusal } from '../../src/portal-client/lib/refusals.ts';
import { createRandom, type Random } from '../support/createRandom.ts';
import { createCanaryScanner, findCanary } from '../support/findCanary.ts';
import { keyRequest, viewerByHeader } from '../support/keyRequest.ts';
import { seed } from '../support/seed.ts';
import { sized } from '../support/size.ts';
import {
  connectionTo,
  type ReceivedCall,
  type StandInAnswer,
  startStandInPortal,
} from '../support/standInPortal.ts';

/** A portal that repeats its input, in various encodings: the worst case for a log. */
const echo = (call: ReceivedCall, random: Random): StandInAnswer => {
  const { passPhrase } = JSON.parse(call.body);
  const apiKey = (call.headers.authorization ?? '').slice('ApiKey '.length);
  const secret = random.pick([
    apiKey,
    passPhrase,
    `${apiKey}:${passPhrase}`,
    call.body,
    call.headers.authorization ?? '',
  ]);
  const words = random.pick([
    secret,
    encodeURIComponent(secret),
    Buffer.from(secret).toString('base64'),
    Buffer.from(`${'x'.repeat(random.below(3))}${secret}`).toString('base64url'),
    JSON.stringify(secret),
    `https://portal.example/report/1?ev=${encodeURIComponent(secret)}`,
  ]);
  const message = `Cannot do that: ${words} (${random.below(100)})`;
  return random.pick<StandInAnswer>([
    { status: 500, body: { success: false, error: { code: 0, message, details: message } } },
    { status: 200, body: { success: false, error: { code: 403, message } } },
    {
      status: 401,
      headers: { 'www-authenticate': 'ApiKey' },
      body: { success: false, error: { code: 401, message }, unAuthorizedRequest: true },
    },
    { status: 502, body: `<html><body>${message}</body></html>` },
    { status: 200, body: message },
    { status: 302, headers: { location: `/?x=${encodeURIComponent(words)}` }, body: message },
    { status: 404, body: { success: false, error: { code: 404, message } } },
  ]);
};

/** The number of texts and their leaks. */
interface SecretFindings {
  readonly texts: number;
  /** Calls that the portal repeated. */
  readonly echoes: number;
  readonly leaks: readonly string[];
}

const shapesOf = (value: unknown): readonly string[] => {
  const shapes = [inspect(value, { depth: 9, showHidden: true }), String(value)];
  if (value instanceof Error) shapes.push(value.stack ?? '', value.message);
  shapes.push(JSON.stringify(value) ?? '');
  return shapes;
};

/** Lets a portal that repeats secrets fail every call, and searches everything that leaves the endpoint or its log. */
const runSecretsScenario = async (
  { requests, seed }: { requests: number; seed: number },
  breakRedaction: (line: object, call: ReceivedCall) => object = (line) => line,
): Promise<SecretFindings> => {
  const portal = await startStandInPortal();
  const connection = connectionTo(portal.url);
  const scanner = createCanaryScanner(connection.apiKey, connection.passPhrase);
  const random = createRandom(seed);
  const leaks: string[] = [];
  let echoes = 0;
  let texts = 0;
  const look = (where: string, text: string) => {
    texts += 1;
    const piece = scanner.find(text);
    if (piece !== undefined && leaks.length < 20) leaks.push(`${where}: ${piece}`);
  };
  const write = (fields: object, message: string) => {
    const call = portal.calls.at(-1);
    const line = call === undefined ? fields : breakRedaction(fields, call);
    look('log', `${message} ${JSON.stringify(line)} ${inspect(line)}`);
  };
  const logger: Logger = { debug: write, info: write, warn: write, error: write };
  const mount = () =>
    createFetchHandler({
      portal: connection,
      viewer: viewerByHeader,
      canView: () => true,
      rateLimit: false,
      upstream: { retry: false },
      logger,
    });
  let handler = mount();
  const parsed: PortalConnection = parsePortalConnection(connection);
  const client = createPortalClient({ embedding: parsed, maxRetries: 0 });
  portal.answer = (call) => echo(call, random);
  try {
    look('connection', shapesOf(parsed).join('\n'));
    for (let sent = 0; sent < requests; sent += 1) {
      echoes += portal.calls.length;
      portal.calls.length = 0;
      if (sent % 5 === 1) {
        // An open circuit would prevent the repetition, so no handler receives five failures.
        look('health', JSON.stringify(handler.health()));
        await handler.close();
        handler = mount();
      }
      if (sent % 4 === 0) {
        const wish = { userId: 'u', itemId: 1, lifetimeMs: 3_600_000 };
        await client.embeddedKeys.create(wish).catch((error: unknown) => {
          for (const shape of shapesOf(error)) look('error', shape);
        });
        continue;
      }
      const response = await handler(keyRequest(1 + random.below(9), `user-${sent}`));
      look('headers', JSON.stringify([...response.headers]));
      look('body', await response.text());
    }
  } finally {
    await Promise.all([handler.close(), client.close(), portal.close()]);
  }
  return { texts, echoes, leaks };
};

/** A control: a log line that quotes what the portal received. */
const quoteTheCall = (line: object, call: ReceivedCall): object => ({ ...line, body: call.body });

const requests = sized(300, 100_000);

describe('secrets', () => {
  it(`do not appear in responses, logs, errors or stacks while a portal repeats them ${requests} times`, async () => {
    const findings = await runSecretsScenario({ requests, seed });
    expect(findings.leaks, `seed ${seed}`).toEqual([]);
    expect(findings.texts).toBeGreaterThan(2.5 * requests);
    expect(findings.echoes).toBeGreaterThan(0.9 * requests);
  });

  it('control: the same check detects a log line that quotes the request', async () => {
    const { leaks } = await runSecretsScenario({ requests: 100, seed }, quoteTheCall);
    expect(leaks.length).toBeGreaterThan(0);
  });

  it('control: the same check detects an error whose message is not redacted', () => {
    const { passPhrase } = connectionTo('http://127.0.0.1:9');
    const messageWith = (redact: (text: string) => string): string =>
      refusal(
        { success: false, error: { code: 0, message: `not ${passPhrase}` } },
        { purpose: 'to create a key', adviceOf: () => undefined, redact, isEnveloped: true },
        { method: 'POST', path: '/', attempts: 1, durationMs: 0, status: 500 },
        false,
      ).message;
    expect(findCanary(messageWith(createRedactor([new Secret(passPhrase)])), passPhrase)).toBeUndefined();
    expect(
      findCanary(
        messageWith((text) => text),
        passPhrase,
      ),
    ).toBeDefined();
  });

  it('do not appear in the printed form of a client', async () => {
    const connection = connectionTo('http://127.0.0.1:9');
    await using client = createPortalClient({ embedding: connection });
    const { inspect } = await import('node:util');
    const printed = inspect(client, { depth: 9, showHidden: true });
    expect(findCanary(printed, connection.apiKey, connection.passPhrase)).toBeUndefined();
  });
});
