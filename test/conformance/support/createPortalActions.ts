import { createServer } from 'node:http';
import { text } from 'node:stream/consumers';
import {
  type Answer,
  type CapturedAction,
  createContext,
  type Fields,
  type Target,
} from '@vitrine/conformance';
import { addressOf, isFields } from '../../../src/conformance/lib/readers.ts';
import { send } from '../../../src/conformance/lib/send.ts';
import { closeServer, listen } from '../../support/standInPortal.ts';

/** The visuals of the checks: the task of one has a secret, the task of the other has none. */
const visuals = { withSecret: 'revenue-by-region', withoutSecret: 'revenue-by-product' } as const;

const columns = { [visuals.withSecret]: 'Region', [visuals.withoutSecret]: 'Product' };
const values = {
  [visuals.withSecret]: ['North', 'South'],
  [visuals.withoutSecret]: ['Grinders', 'Filter coffee'],
};

/** Longer than any possible retry delay, in milliseconds. */
const oneDayMs = 86_400_000;

/** A receiver that records requests and responds with a configurable status. */
const createReceiver = async () => {
  const received: Pick<CapturedAction, 'method' | 'headers' | 'text'>[] = [];
  let status = 204;
  const server = createServer(async (request, response) => {
    received.push({
      method: request.method ?? '',
      headers: request.headers as Record<string, string>,
      text: await text(request),
    });
    response.writeHead(status).end();
  });
  return {
    received,
    url: `${await listen(server)}/actions`,
    answerWith: (next: number) => {
      status = next;
    },
    close: () => closeServer(server),
  };
};

/** The message of a report page after a selection of so many rows of a visual. */
const selection = (visual: keyof typeof values, count: number) => {
  const points = values[visual].slice(0, count).map((value) => [value]);
  return { visual, columns: count === 0 ? [] : [columns[visual]], points, filters: [] };
};

/** Asks the control interface. */
const controlOf =
  ({ baseUrl }: Target) =>
  (method: string, path: string, body?: object): Promise<Answer> =>
    send({
      method,
      url: addressOf(baseUrl, `/_control${path}`),
      body,
      ...(body !== undefined && { headers: { 'content-type': 'application/json' } }),
    });

const rowsOf = ({ json }: Answer): readonly Fields[] =>
  isFields(json) && Array.isArray(json['items']) ? json['items'].filter(isFields) : [];

const idOf = ({ json }: Answer): number => Number(isFields(json) ? json['id'] : Number.NaN);

/** What the checks need: one row, several and none, a task without a secret, and a receiver that refuses. */
const wanted = [
  { rows: 1, receiverStatus: 204, hasSecret: true },
  { rows: 1, receiverStatus: 204, hasSecret: false },
  { rows: 2, receiverStatus: 204, hasSecret: true },
  { rows: 0, receiverStatus: 204, hasSecret: true },
  ...[400, 404, 500, 503].map((receiverStatus) => ({ rows: 1, receiverStatus, hasSecret: true })),
] as const;

/**
 * Acts on visuals of the portal under test as its report page does, with a receiver on this machine and two tasks of its
 * own. Moves the portal's clock, to prove that nothing is resent.
 */
export const createPortalActions = async (target: Target): Promise<readonly CapturedAction[]> => {
  const control = controlOf(target);
  const own = `/tenants/${target.tenancyName}`;
  const items = rowsOf(await control('GET', `${own}/lists/items?pageSize=200`));
  const roles = rowsOf(await control('GET', `${own}/lists/roles?pageSize=200`));
  const item = items.find(({ report }) => report === 'sales');
  const role = roles.find(({ rule }) => isFields(rule) && rule['kind'] === 'all');
  if (item === undefined || role === undefined)
    throw new Error('The default seed of the portal has no sales report, or no role for all rows.');
  const itemId = Number(item['id']);
  const secret = `conformance-${crypto.randomUUID()}`;
  const receiver = await createReceiver();
  const createTask = async (visual: string, taskSecret: string | null) =>
    idOf(
      await control('POST', `${own}/tasks`, {
        name: 'Conformance',
        itemId,
        visualNames: [visual],
        webhookUrl: receiver.url,
        secret: taskSecret,
      }),
    );
  const taskIds = {
    [visuals.withSecret]: await createTask(visuals.withSecret, secret),
    [visuals.withoutSecret]: await createTask(visuals.withoutSecret, null),
  };
  const { mintKey } = createContext(target, 'actions');

  const act = async (visual: keyof typeof values, rows: number): Promise<void> => {
    const deliveries = `/deliveries?taskId=${taskIds[visual]}`;
    const [last] = rowsOf(await control('GET', `${deliveries}&limit=1`));
    await send({
      method: 'POST',
      url: addressOf(target.tenantUrl, `/report/${itemId}/actions`),
      headers: {
        authorization: `ReportKey ${await mintKey({ value: { reportId: itemId, roleNames: [role['code']] } })}`,
        'content-type': 'application/json',
      },
      body: selection(visual, rows),
    });
    await control('GET', `${deliveries}&afterId=${Number(last?.['id'] ?? 0)}&waitFor=1`);
  };
  /** A retry would wait on the portal's clock: advances it beyond any delay, and lets the portal send. */
  const passTime = async (): Promise<void> => {
    await control('POST', '/clock', { advanceMs: oneDayMs });
    for (let turn = 0; turn < 5; turn += 1) await control('GET', '/clock');
    await control('POST', '/clock', { reset: true });
  };

  const actions: CapturedAction[] = [];
  for (const { rows, receiverStatus, hasSecret } of wanted) {
    const visual = hasSecret ? visuals.withSecret : visuals.withoutSecret;
    const before = receiver.received.length;
    receiver.answerWith(receiverStatus);
    await act(visual, rows);
    await passTime();
    const [delivery, again] = receiver.received.slice(before);
    if (delivery === undefined || again !== undefined)
      throw new Error(`The portal did not send a click once to a receiver that answers ${receiverStatus}.`);
    actions.push({
      ...delivery,
      rows,
      itemGuid: String(item['guid']),
      itemName: String(item['displayName']),
      visual,
      secret: hasSecret ? secret : undefined,
    });
  }
  // The administration sends no events: a change reaches the receiver no more than time does.
  const sent = receiver.received.length;
  const name = `silent-${crypto.randomUUID()}`;
  await createContext(target, 'silent').admin('POST', '/v1/roles', { body: { name, type: 'Report' } });
  await passTime();
  if (receiver.received.length > sent) throw new Error('The portal sent an event of its administration.');
  await receiver.close();
  return actions;
};
