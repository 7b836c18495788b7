import { createFetchHandler } from '@vitrine/server';
import { createActions, sqliteInbox } from '@vitrine/server/actions';
import { numberedBody, temporaryFolder } from '../../actions/support/samples.ts';
import { connectionTo } from '../../support/standInPortal.ts';
import type { RotationStyle } from './rotation.ts';

/** What a receiver did with deliveries while the webhook's secret was rotated. */
export interface WebhookRotationFindings {
  readonly stored: number;
  /** Deliveries that were rejected with the portal's secret at the time: each is lost. */
  readonly refused: number;
  /** Deliveries that were accepted with a secret after it was revoked. */
  readonly lateUses: number;
}

const secrets = [
  'webhook-secret-of-the-first-generation-0001',
  'webhook-secret-of-the-second-generation-02',
  'webhook-secret-of-the-third-generation-003',
] as const;

const width = 10;

/**
 * Rotates the secret of a running receiver twice, while deliveries never stop. With `overlap` the host configures the
 * new and the old one before the portal changes; with `single` it changes its one secret after the portal did.
 */
export const runWebhookRotationScenario = async (
  style: RotationStyle,
  { deliveriesEachStep }: { deliveriesEachStep: number },
): Promise<WebhookRotationFindings> => {
  let named: readonly string[] = [secrets[0]];
  const actions = createActions({
    secrets: () => named,
    inbox: sqliteInbox(`${temporaryFolder()}/actions.db`),
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
  let [stored, refused, lateUses, sent] = [0, 0, 0, 0];
  const deliver = async (secret: string): Promise<number> => {
    const response = await receive(
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
    for (const [at, next] of secrets.slice(1).entries()) {
      const old = secrets[at] ?? secrets[0];
      await load(() => old);
      if (style === 'overlap') named = [next, old];
      // The portal's own processes adopt the new secret one after the other.
      await load((n) => (n % 2 === 0 ? old : next));
      await load(() => next);
      named = [next];
      await load(() => next);
      for (let n = 0; n < width; n += 1) if ((await deliver(old)) !== 401) lateUses += 1;
    }
    return { stored, refused, lateUses };
  } finally {
    await receive.close();
  }
};
