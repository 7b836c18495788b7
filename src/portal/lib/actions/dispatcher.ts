import type { ActionWebhookBody } from '@vitrine/contract/service';
import type { Kysely } from 'kysely';
import { recordedChange } from '../audit/recordedChange.ts';
import type { PortalClock } from '../clock/portalClock.ts';
import type { Tables } from '../database/tables/tables.ts';
import { type DeliveryResult, deliverWebhook } from './deliverWebhook.ts';

/** A webhook task that is bound to a visual. */
export interface WebhookTask {
  readonly id: number;
  readonly name: string;
  readonly tenantId: number;
  readonly tenancyName: string;
  readonly url: string;
  /** Sent as `Bearer <secret>`; without one, no Authorization header. */
  readonly secret: string | null;
}

/** The plan of one delivery; without faults, it is sent once and immediately. */
export type DeliveryPlan = (task: WebhookTask) => {
  /** Delay before each sending, in milliseconds; empty: the delivery is lost. */
  readonly delaysMs: readonly number[];
  /** Holds the delivery until the next one has been sent. */
  readonly isHeld?: boolean;
};

/** Sends webhooks in the background and logs their results. */
export interface Dispatcher {
  send(task: WebhookTask, body: ActionWebhookBody): void;
  /** Resends a logged body, to the task's current address. */
  replay(task: WebhookTask, body: string, deliveryId: number): void;
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
  readonly onLogged: () => void;
}

/** Newest entries of the delivery log that are kept. */
const keptDeliveries = 10_000;

/** The address without parts that may be secret. */
const shownUrl = (text: string): string => {
  if (!URL.canParse(text)) return '(no address)';
  const url = new URL(text);
  return `${url.origin}${url.pathname}`;
};

const describe = (task: WebhookTask, result: DeliveryResult | { readonly outcome: 'lost' }): string => {
  const webhook = `The webhook of the task "${task.name}"`;
  switch (result.outcome) {
    case 'delivered':
      return `${webhook} was delivered.`;
    case 'failed':
      return `${webhook} failed: ${result.error}.`;
    case 'lost':
      return `${webhook} was lost to a fault.`;
  }
};

/** Creates the sender of action webhooks. */
export const createDispatcher = (options: DispatcherOptions): Dispatcher => {
  const { clock } = options;
  const inFlight = new Set<Promise<void>>();
  const cancels = new Set<() => void>();
  const held: (() => void)[] = [];
  let isClosed = false;

  const log = async (
    task: WebhookTask,
    sent: { readonly body: string; readonly atMs: number; readonly replayOf: number | null },
    result: DeliveryResult | { readonly outcome: 'lost' },
  ) => {
    const isLost = result.outcome === 'lost';
    const parsed = JSON.parse(sent.body) as { metadata?: { visualName?: string } };
    await recordedChange(options, task.tenantId, async (change) => {
      await change.db
        .insertInto('delivery_log')
        .values({
          tenant_id: task.tenantId,
          task_id: task.id,
          url: shownUrl(task.url),
          at: sent.atMs,
          visual: parsed.metadata?.visualName ?? '',
          body: sent.body,
          status: isLost ? null : result.status,
          outcome: result.outcome,
          error: isLost ? 'dropped by a fault' : result.error,
          duration_ms: isLost ? 0 : result.durationMs,
          replay_of: sent.replayOf,
        })
        .execute();
      await change.db
        .deleteFrom('delivery_log')
        .where('id', '<=', (query) =>
          query
            .selectFrom('delivery_log')
            .select((builder) => builder(builder.fn.max('id'), '-', keptDeliveries).as('last')),
        )
        .execute();
      await change.record({
        actionType: result.outcome === 'delivered' ? 'TaskExecuted' : 'TaskFailed',
        actor: { userId: null, userEmail: null, ipAddress: null },
        resourceType: 'Task',
        resourceId: task.id,
        description: describe(task, result),
        result: result.outcome === 'delivered' ? 'success' : 'failure',
        details: isLost ? {} : { status: result.status, durationMs: result.durationMs },
      });
    });
    options.onLogged();
  };

  const forget = () => {
    for (const cancel of cancels) cancel();
    cancels.clear();
    held.length = 0;
  };

  const follow = (work: Promise<void>) => {
    const followed = work
      .catch(() => {
        // Logging fails only while the portal closes its database; the delivery itself is done.
      })
      .finally(() => inFlight.delete(followed));
    inFlight.add(followed);
  };

  const deliver = async (task: WebhookTask, body: string, replayOf: number | null) => {
    const atMs = clock.now();
    const result = await deliverWebhook({
      url: task.url,
      body,
      authorization: task.secret === null ? undefined : `Bearer ${task.secret}`,
    });
    await log(task, { body, atMs, replayOf }, result);
  };

  /** Sends now, or after the delay on the portal's clock. Resolves when the immediate sendings are logged. */
  const sendAfter = async (sendings: readonly { delayMs: number; send: () => Promise<void> }[]) => {
    const atOnce = sendings.filter(({ delayMs }) => delayMs <= 0);
    for (const { delayMs, send } of sendings.filter((sending) => sending.delayMs > 0)) {
      const cancel = clock.schedule(() => {
        cancels.delete(cancel);
        follow(send());
      }, delayMs);
      cancels.add(cancel);
    }
    await Promise.all(atOnce.map(({ send }) => send()));
  };

  interface Dispatch {
    readonly task: WebhookTask;
    readonly body: ActionWebhookBody;
    readonly plan: ReturnType<DeliveryPlan>;
    readonly triggeredAtMs: number;
  }

  const dispatch = async ({ task, body, plan, triggeredAtMs }: Dispatch) => {
    const text = JSON.stringify(body);
    if (plan.delaysMs.length === 0) {
      await log(task, { body: text, atMs: clock.now(), replayOf: null }, { outcome: 'lost' });
      return;
    }
    const start = () =>
      sendAfter(
        plan.delaysMs.map((delayMs) => ({
          delayMs: triggeredAtMs + delayMs - clock.now(),
          send: () => deliver(task, text, null),
        })),
      );
    if (plan.isHeld === true) {
      held.push(() => follow(start()));
      return;
    }
    await start();
    for (const release of held.splice(0)) release();
  };

  return {
    send: (task, body) => {
      if (!isClosed) follow(dispatch({ task, body, plan: options.plan(task), triggeredAtMs: clock.now() }));
    },
    replay: (task, body, deliveryId) => {
      if (!isClosed) follow(deliver(task, body, deliveryId));
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
