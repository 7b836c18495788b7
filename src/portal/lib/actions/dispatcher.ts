import type { Kysely } from 'kysely';
import { type Actor, change } from '../change.ts';
import type { PortalClock } from '../clock/portalClock.ts';
import type { Tables } from '../database/schema.ts';
import type { DeliveryLog } from '../logs/deliveryLog.ts';
import { type DeliveryResult, deliverWebhook } from './deliverWebhook.ts';

/** A webhook task that is bound to a visual. */
export interface WebhookTask {
  readonly id: number;
  readonly name: string;
  readonly tenantId: number;
  readonly tenancyName: string;
  /** Empty if it has none: its deliveries fail. */
  readonly url: string;
  /** Sent as `Bearer <secret>`; without one, no Authorization header. */
  readonly secret: string | null;
}

/** A webhook to send. */
export interface Webhook {
  readonly task: WebhookTask;
  readonly visual: string;
  readonly body: string;
  /** Who clicked, or who sends it again. */
  readonly actor: Actor;
  /** Number of the delivery that this one repeats. */
  readonly replayOf?: number;
}

/**
 * The plan of one delivery: the delay before each sending, in milliseconds; empty if it is lost. Without faults, it is
 * sent once and immediately.
 */
export type DeliveryPlan = (task: WebhookTask) => readonly number[];

/** Sends webhooks in the background and logs their results. */
export interface Dispatcher {
  send(webhook: Webhook): void;
  /** Sends a logged webhook again at once, whatever the faults are. */
  replay(webhook: Webhook): void;
  /** Resolves when all in-flight deliveries have been logged; delayed ones do not count. */
  idle(): Promise<void>;
  /** Drops all delayed deliveries. */
  forget(): void;
  close(): void;
}

/** Dependencies of {@link createDispatcher}. */
export interface DispatcherOptions {
  readonly db: Kysely<Tables>;
  readonly clock: PortalClock;
  readonly plan: DeliveryPlan;
  readonly deliveries: DeliveryLog;
}

/** The address without parts that may be secret. */
const shownUrl = (text: string): string => {
  const url = URL.parse(text);
  return url === null ? '(no address)' : `${url.origin}${url.pathname}`;
};

const lost: DeliveryResult = { outcome: 'lost', status: null, error: 'dropped by a fault', durationMs: 0 };

const describe = ({ name }: WebhookTask, { outcome, error }: DeliveryResult): string => {
  const verb = outcome === 'failed' ? 'failed' : `was ${outcome}`;
  return `The webhook of the task "${name}" ${verb}${error === null ? '' : `: ${error}`}.`;
};

/** Creates the sender of action webhooks. */
export const createDispatcher = (options: DispatcherOptions): Dispatcher => {
  const { clock } = options;
  const inFlight = new Set<Promise<void>>();
  const cancels = new Set<() => void>();
  let isClosed = false;

  const log = async (webhook: Webhook, atMs: number, result: DeliveryResult) => {
    const { task, visual, body, actor, replayOf = null } = webhook;
    const { outcome, status, durationMs } = result;
    const what = outcome === 'delivered' ? 'TaskExecuted' : 'TaskFailed';
    const place = { services: options, tenant: { id: task.tenantId }, actor };
    await change(place, what, async () => ({
      id: task.id,
      description: describe(task, result),
      outcome: outcome === 'delivered' ? 'success' : 'failure',
      details: { visual, status, durationMs },
    }));
    options.deliveries.add({
      taskId: task.id,
      taskName: task.name,
      tenancyName: task.tenancyName,
      url: shownUrl(task.url),
      at: new Date(atMs).toISOString(),
      visual,
      body,
      ...result,
      replayOf,
    });
  };

  const follow = (work: Promise<void>) => {
    const followed = work
      .catch(() => {
        // Logging fails only while the portal closes its database; the delivery itself is done.
      })
      .finally(() => inFlight.delete(followed));
    inFlight.add(followed);
  };

  const deliver = async (webhook: Webhook) => {
    const { task, body } = webhook;
    const atMs = clock.now();
    if (task.url === '')
      return log(webhook, atMs, { ...lost, outcome: 'failed', error: 'the task has no address' });
    const authorization = task.secret === null ? undefined : `Bearer ${task.secret}`;
    return log(webhook, atMs, await deliverWebhook({ url: task.url, body, authorization }));
  };

  /** Delivers now, or after each delay on the portal's clock. Resolves when what is sent now is logged. */
  const dispatch = async (webhook: Webhook) => {
    const delaysMs = options.plan(webhook.task);
    if (delaysMs.length === 0) return log(webhook, clock.now(), lost);
    for (const delayMs of delaysMs.filter((delay) => delay > 0)) {
      const cancel = clock.schedule(() => {
        cancels.delete(cancel);
        follow(deliver(webhook));
      }, delayMs);
      cancels.add(cancel);
    }
    await Promise.all(delaysMs.filter((delay) => delay <= 0).map(() => deliver(webhook)));
  };

  const forget = () => {
    for (const cancel of cancels) cancel();
    cancels.clear();
  };

  return {
    send: (webhook) => {
      if (!isClosed) follow(dispatch(webhook));
    },
    replay: (webhook) => {
      if (!isClosed) follow(deliver(webhook));
    },
    idle: async () => {
      while (inFlight.size > 0) await Promise.all(inFlight);
    },
    forget,
    close: () => {
      isClosed = true;
      forget();
    },
  };
};
