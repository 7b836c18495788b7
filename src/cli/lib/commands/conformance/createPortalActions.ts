import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { createContext } from '../../conformance/createContext.ts';
import { need } from '../../conformance/difference.ts';
import { addressOf, type Fields, isFields } from '../../conformance/readers.ts';
import { type Answer, send } from '../../conformance/send.ts';
import type { ActionLab, Gesture, ReceivedWebhook, Target } from '../../conformance/target.ts';
import { UsageError } from '../../output/usageError.ts';

/** The visuals of the checks: the task of one has a secret, the task of the other has none. */
const visuals = { withSecret: 'revenue-by-region', withoutSecret: 'revenue-by-product' } as const;

const columns = { [visuals.withSecret]: 'Region', [visuals.withoutSecret]: 'Product' };
const values = {
  [visuals.withSecret]: ['North', 'South'],
  [visuals.withoutSecret]: ['Grinders', 'Filter coffee'],
};

/** Longer than any possible retry delay, in milliseconds. */
const oneDayMs = 86_400_000;
const oneSecondMs = 1_000;

/** A receiver that records requests and responds with a configurable status. */
const createReceiver = async () => {
  const received: ReceivedWebhook[] = [];
  let status = 204;
  const server = createServer((request, response) => {
    const chunks: Buffer[] = [];
    request.on('data', (chunk: Buffer) => chunks.push(chunk));
    request.on('end', () => {
      const headers = Object.entries(request.headers).map(([name, value]) => [name, String(value)]);
      received.push({
        method: request.method ?? '',
        headers: Object.fromEntries(headers) as Record<string, string>,
        text: Buffer.concat(chunks).toString('utf8'),
      });
      response.writeHead(status).end();
    });
  });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  return {
    received,
    url: `http://127.0.0.1:${(server.address() as AddressInfo).port}/actions`,
    answerWith: (next: number) => {
      status = next;
    },
    close: () => {
      server.closeAllConnections();
      return new Promise<void>((resolve) => server.close(() => resolve()));
    },
  };
};

/** The message of a report page after a gesture on a visual. */
const selection = (visual: keyof typeof values, gesture: Gesture) => {
  const count = { clear: 0, 'one row': 1, 'several rows': 2 }[gesture];
  const points = values[visual].slice(0, count).map((value) => [value]);
  return { visual, columns: count === 0 ? [] : [columns[visual]], points, filters: [] };
};

/** Asks the control interface of a development portal. */
const controlOf =
  ({ baseUrl }: Target, signal: AbortSignal | undefined) =>
  (method: string, path: string, body?: object): Promise<Answer> =>
    send({
      method,
      signal,
      url: addressOf(baseUrl, `/_control${path}`),
      body,
      ...(body !== undefined && { headers: { 'content-type': 'application/json' } }),
    });

const rowsOf = ({ json }: Answer): readonly Fields[] =>
  isFields(json) && Array.isArray(json['items']) ? json['items'].filter(isFields) : [];

const idOf = ({ json }: Answer): number => Number(isFields(json) ? json['id'] : Number.NaN);

/** Acts on visuals, until it is closed. */
export interface PortalActions extends ActionLab {
  /** Removes the tasks; `limit` cancels that. Resolves to whether the portal answered. */
  readonly close: (limit?: AbortSignal) => Promise<boolean>;
}

/** Options of {@link createPortalActions}. */
export interface PortalActionOptions {
  readonly target: Target;
  /** Whether the portal's clock may be advanced, to prove that nothing is resent. */
  readonly mayMoveClock: boolean;
  /** Cancels requests, except those that remove the tasks. */
  readonly signal?: AbortSignal;
}

/**
 * Acts on visuals of a development portal as its report page does, with a receiver on this machine and two tasks of its
 * own, which are removed at the end. Other tasks of these visuals send where they always do.
 */
export const createPortalActions = async ({
  target,
  mayMoveClock,
  signal,
}: PortalActionOptions): Promise<PortalActions> => {
  const control = controlOf(target, signal);
  const own = `/tenants/${target.tenancyName}`;
  const items = await control('GET', `${own}/lists/items?pageSize=200`);
  if (items.status !== 200)
    throw new UsageError(
      `--receive needs a portal that \`vitrine portal\` started: ${target.baseUrl} has no control interface. Capture a delivery of another portal, and name its file with --webhook.`,
    );
  const roles = rowsOf(await control('GET', `${own}/lists/roles?pageSize=200`));
  const item = rowsOf(items).find(({ report }) => report === 'sales');
  const role = roles.find(({ rule }) => isFields(rule) && rule['kind'] === 'all');
  if (item === undefined || role === undefined)
    throw new UsageError(
      `--receive needs an item with the sales report and a role for all rows; ${target.tenancyName} has no such ${item === undefined ? 'item' : 'role'}.`,
    );
  const itemId = Number(item['id']);
  const secret = `conformance-${crypto.randomUUID()}`;
  const receiver = await createReceiver();
  const created: number[] = [];
  const createTask = async (visual: string, taskSecret: string | null) => {
    const id = idOf(
      await control('POST', `${own}/tasks`, {
        name: 'Conformance (removed after the run)',
        itemId,
        visualNames: [visual],
        webhookUrl: receiver.url,
        secret: taskSecret,
      }),
    );
    created.push(id);
    return id;
  };
  const close: PortalActions['close'] = async (limit) => {
    const remove = controlOf(target, limit);
    const removed = await Promise.allSettled(created.map((id) => remove('DELETE', `${own}/tasks/${id}`)));
    await receiver.close();
    return removed.every(({ status }) => status === 'fulfilled');
  };
  const taskIds = await (async () => ({
    [visuals.withSecret]: await createTask(visuals.withSecret, secret),
    [visuals.withoutSecret]: await createTask(visuals.withoutSecret, null),
  }))().catch(async (error: unknown) => {
    await close(AbortSignal.timeout(oneSecondMs));
    throw error;
  });
  const { mintKey } = createContext(target, 'actions', signal);

  const act = async (visual: keyof typeof values, gesture: Gesture): Promise<void> => {
    const deliveries = `/deliveries?taskId=${taskIds[visual]}`;
    const [last] = rowsOf(await control('GET', `${deliveries}&limit=1`));
    await send({
      method: 'POST',
      url: addressOf(target.tenantUrl, `/report/${itemId}/actions`),
      headers: {
        authorization: `ReportKey ${await mintKey({ value: { reportId: itemId, roleNames: [role['code']] } })}`,
        'content-type': 'application/json',
      },
      body: selection(visual, gesture),
    });
    const [sent] = rowsOf(
      await control('GET', `${deliveries}&afterId=${Number(last?.['id'] ?? 0)}&waitFor=1`),
    );
    need(
      sent === undefined || sent['status'] !== null,
      `needs a portal that reaches ${receiver.url}, where this run receives`,
    );
  };
  /** A retry would wait on the portal's clock: advances it beyond any delay, and lets the portal send. */
  const passTime = async (): Promise<void> => {
    await control('POST', '/clock', { advanceMs: oneDayMs });
    for (let turn = 0; turn < 5; turn += 1) await control('GET', '/clock');
    await control('POST', '/clock', { reset: true });
  };

  return {
    secrets: [secret],
    countReceived: () => receiver.received.length,
    trigger: async ({ gesture, receiverStatus, hasSecret }) => {
      need(
        mayMoveClock || receiverStatus < 300,
        'needs a clock that can be moved: run `vitrine conformance` without an address',
      );
      const visual = hasSecret ? visuals.withSecret : visuals.withoutSecret;
      const before = receiver.received.length;
      receiver.answerWith(receiverStatus);
      await act(visual, gesture);
      if (mayMoveClock) await passTime();
      return {
        received: receiver.received.slice(before),
        itemGuid: String(item['guid']),
        itemName: String(item['displayName']),
        visual,
        secret: hasSecret ? secret : undefined,
      };
    },
    close,
  };
};
