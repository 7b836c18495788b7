import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import type { Portal, PortalTenant } from '@vitrine/portal';
import { send } from '../../conformance/send.ts';
import type { ActionLab, Gesture, ReceivedWebhook } from '../../conformance/target.ts';

/** The tasks of the checks: one visual whose task has a secret, one whose task has none. */
export const actionVisuals = {
  withSecret: 'revenue-by-region',
  withoutSecret: 'revenue-by-product',
} as const;

export const webhookSecret = 'conformance-webhook-secret';

const columns = { [actionVisuals.withSecret]: 'Region', [actionVisuals.withoutSecret]: 'Product' };
const values = {
  [actionVisuals.withSecret]: ['North', 'South'],
  [actionVisuals.withoutSecret]: ['Grinders', 'Filter coffee'],
};

/** Longer than any pause before a second try could be, in milliseconds. */
const oneDayMs = 86_400_000;

/** A receiver that keeps what it gets and answers a status that can be changed. */
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

/** What the page of a report sends when a viewer does something to a visual. */
const selection = (visual: keyof typeof values, gesture: Gesture) => {
  const count = { clear: 0, 'one row': 1, 'several rows': 2 }[gesture];
  const points = values[visual].slice(0, count).map((value) => [value]);
  return { visual, columns: count === 0 ? [] : [columns[visual]], points, filters: [] };
};

/** Gives the portal, which shares this process, turns enough to send whatever it means to send at once. */
const settle = async ({ url }: Portal): Promise<void> => {
  for (let turn = 0; turn < 5; turn += 1) await send({ method: 'GET', url: `${url}/v1/tasks` });
};

/** Acts on visuals of a portal as its report page does, with a receiver of its own. */
export const createPortalActions = async (
  portal: Portal,
  tenant: PortalTenant,
  mintKey: (itemId: number) => Promise<string>,
): Promise<ActionLab & { close(): Promise<void> }> => {
  const receiver = await createReceiver();
  await portal.setActionTarget(tenant.tenancyName, receiver.url);
  const item = tenant.items.find(({ type, hasRls }) => type === 'report' && hasRls);
  if (item === undefined) throw new Error('The portal has no report with row-level security.');
  return {
    secrets: [webhookSecret],
    countReceived: () => receiver.received.length,
    trigger: async ({ gesture, receiverStatus, hasSecret }) => {
      const visual = hasSecret ? actionVisuals.withSecret : actionVisuals.withoutSecret;
      const before = receiver.received.length;
      const [last] = await portal.deliveries.list({ limit: 1 });
      const afterId = last?.id ?? 0;
      receiver.answerWith(receiverStatus);
      await send({
        method: 'POST',
        url: `${tenant.tenantUrl}/report/${item.id}/actions`,
        headers: {
          authorization: `ReportKey ${await mintKey(item.id)}`,
          'content-type': 'application/json',
        },
        body: selection(visual, gesture),
      });
      await portal.deliveries.waitFor({ tenancyName: tenant.tenancyName, afterId });
      // A second try would wait on the portal's clock: let the clock pass every such time, then look again.
      portal.clock.advance(oneDayMs);
      await settle(portal);
      portal.clock.reset();
      return {
        received: receiver.received.slice(before),
        itemGuid: item.guid,
        itemName: item.displayName,
        visual,
        secret: hasSecret ? webhookSecret : undefined,
      };
    },
    close: receiver.close,
  };
};
