import { createFetchHandler } from '@vitrine/server';
import { keyRequest, viewerByHeader } from '../../support/keyRequest.ts';
import { connectionTo, envelopeOf, refusalOf, startStandInPortal } from '../../support/standInPortal.ts';

/** How a host passes its secrets while they are rotated. */
export type RotationStyle = 'overlap' | 'single';

/** What was recorded while every secret was rotated under load. */
export interface RotationFindings {
  readonly given: number;
  readonly failed: number;
  /** Calls with an old secret after it was revoked everywhere. */
  readonly lateUses: number;
  /** Calls per issued key. */
  readonly amplification: number;
}

const generations = ['first-secret-0001', 'second-secret-0002', 'third-secret-0003'] as const;

/** Rotates API key and passphrase, one after the other and twice, while key requests never stop. */
export const runRotationScenario = async (
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
