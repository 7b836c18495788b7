import { createPortalClient, createRedactor, Secret } from '@vitrine/portal-client';
import { describe, expect, it } from 'vitest';
import { noStats } from '../../src/portal-client/lib/http.ts';
import { refusal } from '../../src/portal-client/lib/refusals.ts';
import { findCanary } from '../support/findCanary.ts';
import { sized } from '../support/size.ts';
import { connectionTo } from '../support/standInPortal.ts';
import { quoteTheCall, runSecretsScenario } from './scenarios/secrets.ts';

const requests = sized(300, 1_000);

describe('secrets', () => {
  it(`do not appear in responses, logs, errors or stacks while a portal repeats them ${requests} times`, async () => {
    const findings = await runSecretsScenario({ requests, seed: 10 });
    expect(findings.leaks).toEqual([]);
    expect(findings.texts).toBeGreaterThan(2.5 * requests);
    expect(findings.echoes).toBeGreaterThan(0.9 * requests);
  });

  it('control: the same check detects a log line that quotes the request', async () => {
    const { leaks } = await runSecretsScenario({ requests: 100, seed: 10 }, quoteTheCall);
    expect(leaks.length).toBeGreaterThan(0);
  });

  it('control: the same check detects an error whose message is not redacted', () => {
    const { passPhrase } = connectionTo('http://127.0.0.1:9');
    const messageWith = (redact: (text: string) => string): string =>
      refusal(
        { success: false, error: { code: 0, message: `not ${passPhrase}` } },
        {
          words: { purpose: 'to create a key', adviceOf: () => undefined, mask: (text) => text },
          redact,
          isEnveloped: true,
        },
        { ...noStats, status: 500 },
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
