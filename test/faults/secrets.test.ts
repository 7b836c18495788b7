import { createKeyMinter, createRedactor, parsePortalConnection, Secret } from '@vitrine/portal-client';
import { describe, expect, it } from 'vitest';
import { refusal } from '../../src/portal-client/lib/dialect/refusal.ts';
import { emptyStats } from '../../src/portal-client/lib/http/sendOnce.ts';
import { findCanary } from '../support/findCanary.ts';
import { connectionTo } from '../support/standInPortal.ts';
import { quoteTheCall, runSecretsGate } from './gates/secrets.ts';

describe('secrets', () => {
  it('stay out of answers, logs, errors and stacks while a portal repeats them 1,000 times', async () => {
    const findings = await runSecretsGate({ requests: 1000, seed: 10 });
    expect(findings.leaks).toEqual([]);
    expect(findings.texts).toBeGreaterThan(2500);
    expect(findings.echoes).toBeGreaterThan(900);
  });

  it('control: the same check finds a log line that quotes the call', async () => {
    const { leaks } = await runSecretsGate({ requests: 100, seed: 10 }, quoteTheCall);
    expect(leaks.length).toBeGreaterThan(0);
  });

  it('control: the same check finds an error whose message was not redacted', () => {
    const { passPhrase } = connectionTo('http://127.0.0.1:9');
    const messageWith = (redact: (text: string) => string): string =>
      refusal({
        status: 500,
        body: { success: false, error: { code: 0, message: `not ${passPhrase}` } },
        stats: emptyStats({ method: 'POST', path: '/' }, 1),
        words: { purpose: 'to create a key', hintOf: () => undefined },
        redact,
        isEnveloped: true,
      }).message;
    expect(findCanary(messageWith(createRedactor([new Secret(passPhrase)])), passPhrase)).toBeUndefined();
    expect(
      findCanary(
        messageWith((text) => text),
        passPhrase,
      ),
    ).toBeDefined();
  });

  it('stay out of what a minter shows when it is printed', async () => {
    const connection = connectionTo('http://127.0.0.1:9');
    const minter = createKeyMinter(parsePortalConnection(connection));
    const { inspect } = await import('node:util');
    const printed = inspect(minter, { depth: 9, showHidden: true });
    expect(findCanary(printed, connection.apiKey, connection.passPhrase)).toBeUndefined();
    await minter.close();
  });
});
