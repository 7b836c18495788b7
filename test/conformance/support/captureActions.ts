import { type CapturedAction, createContext, type Target } from '@vitrine/conformance';
import type { Portal, PortalTenantItem } from '@vitrine/portal';
import { send } from '../../../src/conformance/lib/send.ts';
import type { StandInPortal } from '../../support/standInPortal.ts';

/** The visuals of the checks, with what a viewer selects. The task of one has a secret, the task of the other has none. */
const visuals = {
  'revenue-by-region': {
    column: 'Region',
    values: ['North', 'South'],
    secret: 'conformance-secret-of-a-task',
  },
  'revenue-by-product': { column: 'Product', values: ['Grinders', 'Filter coffee'], secret: undefined },
} as const;
type Visual = keyof typeof visuals;

/** The tasks of the visuals, for a seed. */
export const actionTasks = (itemId: number, webhookUrl: string) =>
  Object.entries(visuals).map(([visual, { secret = null }]) => ({
    name: 'Conformance',
    kind: 'webhook' as const,
    itemId,
    visualNames: [visual],
    webhookUrl,
    secret,
  }));

/** What the checks need: one row, several and none, a task without a secret, and a receiver that refuses. */
const wanted: readonly (readonly [Visual, rows: number, receiverStatus: number])[] = [
  ['revenue-by-region', 1, 204],
  ['revenue-by-product', 1, 204],
  ['revenue-by-region', 2, 204],
  ['revenue-by-region', 0, 204],
  ...[400, 404, 500, 503].map((status) => ['revenue-by-region', 1, status] as const),
];
/** Longer than any possible retry delay, in milliseconds. */
const oneDayMs = 86_400_000;

/** The parts of {@link captureActions}. */
interface Capture {
  readonly portal: Portal;
  readonly target: Target;
  readonly item: PortalTenantItem;
  /** Receives the webhooks of {@link actionTasks}. */
  readonly receiver: StandInPortal;
}

/**
 * Acts on visuals of the portal under test as its report page does. Moves the portal's clock, to prove that nothing is
 * resent.
 */
export const captureActions = async ({
  portal,
  target,
  item,
  receiver,
}: Capture): Promise<readonly CapturedAction[]> => {
  const { mintKey, admin } = createContext(target, 'actions');

  const act = async (visual: Visual, rows: number): Promise<void> => {
    const { column, values } = visuals[visual];
    const [last] = await portal.deliveries.list({ limit: 1 });
    const key = await mintKey({ value: { reportId: item.id, roleNames: ['all-regions'] } });
    await send({
      method: 'POST',
      url: `${target.tenantUrl}/report/${item.id}/actions`,
      headers: { authorization: `ReportKey ${key}`, 'content-type': 'application/json' },
      body: {
        visual,
        columns: rows === 0 ? [] : [column],
        points: values.slice(0, rows).map((value) => [value]),
        filters: [],
      },
    });
    await portal.deliveries.waitFor({ afterId: last?.id ?? 0 });
  };

  /** A retry would wait on the portal's clock: advances it beyond any delay, and lets the portal send. */
  const passTime = async (): Promise<void> => {
    portal.clock.advance(oneDayMs);
    for (let turn = 0; turn < 5; turn += 1) await fetch(portal.url);
    portal.clock.reset();
  };

  const actions: CapturedAction[] = [];
  for (const [visual, rows, status] of wanted) {
    const before = receiver.calls.length;
    receiver.answer = () => ({ status, body: '' });
    await act(visual, rows);
    await passTime();
    const [call, again] = receiver.calls.slice(before);
    if (call === undefined || again !== undefined)
      throw new Error(`The portal did not send a click once to a receiver that answers ${status}.`);
    const { method, headers, body } = call;
    actions.push({
      method,
      headers: headers as Record<string, string>, // the portal sends each header once
      text: body,
      rows,
      itemGuid: item.guid,
      itemName: item.displayName,
      visual,
      secret: visuals[visual].secret,
    });
  }
  // The administration sends no events: a change reaches the receiver no more than time does.
  const sent = receiver.calls.length;
  await admin('POST', '/v1/roles', { body: { name: `silent-${crypto.randomUUID()}`, type: 'Report' } });
  await passTime();
  if (receiver.calls.length > sent) throw new Error('The portal sent an event of its administration.');
  return actions;
};
