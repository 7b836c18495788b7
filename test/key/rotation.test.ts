import { createFetchHandler } from '@vitrine/server';
import { createActions, sqliteInbox } from '@vitrine/server/actions';
import { describe, expect, it } from 'vitest';
import { numberedBody, temporaryFolder } from '../actions/support/samples.ts';
import { keyRequest, viewerByHeader } from '../support/keyRequest.ts';
import { sized } from '../support/size.ts';
import { connectionTo, envelopeOf, refusalOf, startStandInPortal } from '../support/standInPortal.ts';

/** How a host passes its secrets while they are rotated. */
type RotationStyle = 'overlap' | 'single';

/** What was recorded while every secret was rotated under load. */
interface RotationFindings {
  readonly given: number;
  readonly failed: number;
  /** Calls with an old secret after it was revoked everywhere. */
  readonly lateUses: number;
  /** Calls per issued key. */
  readonly amplification: number;
}

const generations = ['first-secret-0001', 'second-secret-0002', 'third-secret-0003'] as const;

/** Rotates API key and passphrase, one after the other and twice, while key requests never stop. */
const runRotationScenario = async (
  style: RotationStyle,
  { requestsEachStep }: { requestsEachStep: number },
): Promise<RotationFindings> => {
  const portal = await startStandInPortal();
  const accepted = { apiKey: generations[0] as string, passPhrase: generations[0] as string };
  portal.answer = (call) => {
    if (call.headers.authorization !== `ApiKey ${accepted.apiKey}`)
      return { status: 401, body: refusalOf(401, 'Unknown key') };
    if (JSON.parse(call.body).passPhrase !== accepted.passPhrase)
      return { status: 500, body: refusalOf(0, 'Wrong passphrase') };
    return { body: envelopeOf('abc') };
  };
  const base = connectionTo(portal.url);
  let connection = { ...base, apiKey: [generations[0] as string], passPhrase: [generations[0] as string] };
  const handler = createFetchHandler({
    portal: () => connection,
    viewer: viewerByHeader,
    canView: () => true,
    rateLimit: false,
    logger: false,
    // Fewer connections than concurrent requests, so that some wait in the queue while the secrets change.
    upstream: { connections: 5 },
  });
  let [given, failed, user] = [0, 0, 0];
  const load = async () => {
    const width = 20;
    for (let sent = 0; sent < requestsEachStep; sent += width) {
      const answers = await Promise.all(
        Array.from({ length: width }, () => handler(keyRequest(1042, `user-${(user += 1)}`))),
      );
      for (const { status } of answers)
        if (status === 200) given += 1;
        else failed += 1;
    }
  };
  let lateUses = 0;
  try {
    await load();
    for (const [step, next] of generations.slice(1).entries())
      for (const secret of ['apiKey', 'passPhrase'] as const) {
        const old = generations[step] ?? generations[0];
        // A host with one secret changes it when the portal does, slightly too early or too late.
        if (style === 'overlap') connection = { ...connection, [secret]: [next, old] };
        await load();
        const switching = load();
        accepted[secret] = next;
        await switching;
        if (style === 'overlap') await load();
        connection = { ...connection, [secret]: [next] };
        await load();
        portal.calls.length = 0;
        await load();
        lateUses += portal.calls.filter(
          (call) =>
            `${call.headers.authorization}${call.body}`.includes(old) &&
            accepted.apiKey !== old &&
            accepted.passPhrase !== old,
        ).length;
      }
    portal.calls.length = 0;
    const before = given;
    await load();
    return { given, failed, lateUses, amplification: portal.calls.length / (given - before) };
  } finally {
    await handler.close();
    await portal.close();
  }
};

/** What a receiver did with deliveries while the webhook's secret was rotated. */
interface WebhookRotationFindings {
  readonly stored: number;
  /** Deliveries that were rejected with the portal's secret at the time: each is lost. */
  readonly refused: number;
  /** Deliveries that were accepted with a secret after it was revoked. */
  readonly lateUses: number;
}

const webhookSecrets = [
  'webhook-secret-of-the-first-generation-0001',
  'webhook-secret-of-the-second-generation-02',
  'webhook-secret-of-the-third-generation-003',
] as const;

const width = 10;

/**
 * Rotates the secret of a receiver twice, by restarts, while deliveries never stop. With `overlap` the host configures the
 * new and the old one before the portal changes; with `single` it changes its one secret after the portal did.
 */
const runWebhookRotationScenario = async (
  style: RotationStyle,
  { deliveriesEachStep }: { deliveriesEachStep: number },
): Promise<WebhookRotationFindings> => {
  const file = `${temporaryFolder()}/actions.db`;
  const start = (...secrets: readonly string[]) => {
    const actions = createActions({
      secrets,
      inbox: sqliteInbox(file),
      dispatch: false,
      audience: 'nobody',
      logger: false,
    });
    const receive = createFetchHandler({
      portal: connectionTo('http://127.0.0.1:1'),
      viewer: () => null,
      canView: () => false,
      actions,
      logger: false,
    });
    const close = async () => void (await Promise.all([receive.close(), actions.close(0)]));
    return { receive, close };
  };
  let host = start(webhookSecrets[0]);
  /** Starts a process with other secrets, and then stops the one before. */
  const restart = async (...secrets: readonly string[]) => {
    const former = host;
    host = start(...secrets);
    await former.close();
  };
  let [stored, refused, lateUses, sent] = [0, 0, 0, 0];
  const deliver = async (secret: string): Promise<number> => {
    const response = await host.receive(
      new Request('https://host.example/api/embed/webhook', {
        method: 'POST',
        headers: { authorization: `Bearer ${secret}`, 'content-type': 'application/json' },
        body: new Uint8Array(numberedBody((sent += 1))),
      }),
    );
    return response.status;
  };
  const load = async (secretOf: (n: number) => string) => {
    for (let at = 0; at < deliveriesEachStep; at += width)
      for (const status of await Promise.all(
        Array.from({ length: width }, (_, n) => deliver(secretOf(at + n))),
      ))
        if (status < 300) stored += 1;
        else refused += 1;
  };
  try {
    for (const [at, next] of webhookSecrets.slice(1).entries()) {
      const old = webhookSecrets[at] ?? webhookSecrets[0];
      await load(() => old);
      if (style === 'overlap') await restart(next, old);
      // The portal's own processes adopt the new secret one after the other.
      await load((n) => (n % 2 === 0 ? old : next));
      await load(() => next);
      await restart(next);
      await load(() => next);
      for (let n = 0; n < width; n += 1) if ((await deliver(old)) !== 401) lateUses += 1;
    }
    return { stored, refused, lateUses };
  } finally {
    await host.close();
  }
};

describe('portal secrets that are rotated under load', () => {
  it('lose no key when the old and the new one are both configured for a while', async () => {
    const findings = await runRotationScenario('overlap', { requestsEachStep: sized(60, 2500) });
    expect(findings).toMatchObject({ failed: 0, lateUses: 0, amplification: 1 });
    expect(findings.given).toBeGreaterThan(1000);
  });

  it('control: the same check detects a host with one secret at a time', async () => {
    expect((await runRotationScenario('single', { requestsEachStep: 20 })).failed).toBeGreaterThan(0);
  });
});

describe('a webhook secret that is rotated under load', () => {
  it('loses no delivery when the old and the new one are both configured for a while', async () => {
    const deliveriesEachStep = sized(40, 5000);
    const findings = await runWebhookRotationScenario('overlap', { deliveriesEachStep });
    expect(findings).toEqual({ stored: 8 * deliveriesEachStep, refused: 0, lateUses: 0 });
  });

  it('control: the same check detects a host with one secret at a time', async () => {
    const { refused } = await runWebhookRotationScenario('single', { deliveriesEachStep: 10 });
    // Half of each change and everything after it until the host changes its own.
    expect(refused).toBe(30);
  });
});
