import { Agent, type ClientRequest, request } from 'node:http';
import { describe, expect, it, onTestFinished } from 'vitest';
import { createRandom } from '../support/createRandom.ts';
import { seed } from '../support/seed.ts';
import { sized } from '../support/size.ts';
import { startProgram } from '../support/startProgram.ts';
import { hasPostgres, postgresUrl, temporarySchema } from './support/postgres.ts';
import { clickBody, secret } from './support/samples.ts';

const startHost = async (kind: string, schema: string): Promise<number> => {
  const program = new URL('./programs/host.ts', import.meta.url);
  const { line } = startProgram(program, [kind, postgresUrl, schema], { env: { WEBHOOK_SECRET: secret } });
  return Number((await line()).split(' ')[0]);
};

/** A viewer: reads a stream, may lose it, and reconnects to any process. */
const createViewer = (number: number, portOf: () => number, agent: Agent) => {
  const seen: { readonly number: number; readonly name: string }[] = [];
  let cursor: string | undefined;
  let current: ClientRequest | undefined;
  let rest = '';
  const take = (block: string): void => {
    cursor = /^id: (\d+)$/m.exec(block)?.[1] ?? cursor;
    const action = /^event: action\ndata: (.*)$/m.exec(block)?.[1];
    if (action === undefined) return;
    const { reportName, result } = JSON.parse(action);
    seen.push({ number: result.for, name: reportName });
  };
  const open = (): Promise<void> =>
    new Promise((resolve, reject) => {
      rest = '';
      const headers = {
        'x-as': `viewer-${number}`,
        ...(cursor !== undefined && { 'last-event-id': cursor }),
      };
      current = request({ agent, port: portOf(), host: '127.0.0.1', path: '/api/embed/actions', headers });
      current.on('response', (response) => {
        if (response.statusCode !== 200) return reject(new Error(`status ${response.statusCode}`));
        response.setEncoding('utf8');
        response.on('data', (text: string) => {
          const blocks = (rest + text).split('\n\n');
          rest = blocks.pop() ?? '';
          blocks.forEach(take);
          resolve();
        });
        response.on('error', () => undefined);
      });
      current.on('error', () => undefined);
      current.end();
    });
  return { number, seen, open, close: () => current?.destroy() };
};

const post = (agent: Agent, port: number, body: string): Promise<void> =>
  new Promise((resolve, reject) => {
    const headers = { authorization: `Bearer ${secret}`, 'content-length': Buffer.byteLength(body) };
    const sent = request(
      { agent, port, host: '127.0.0.1', path: '/webhook', method: 'POST', headers },
      (response) => {
        response.resume();
        if (response.statusCode === 202) resolve();
        else reject(new Error(`status ${response.statusCode}`));
      },
    );
    sent.on('error', reject);
    sent.end(body);
  });

/** Viewers on three processes, clicks on any of them, streams that break and reconnect elsewhere. */
const play = async (kind: string, viewers: number, clicks: number) => {
  const random = createRandom(seed);
  const schema = temporarySchema();
  const ports = await Promise.all([1, 2, 3].map(() => startHost(kind, schema)));
  const portOf = (): number => ports[random.below(ports.length)] ?? 0;
  const agent = new Agent({ keepAlive: false, maxSockets: 5000 });
  onTestFinished(() => agent.destroy());
  const people = Array.from({ length: viewers }, (_, number) => createViewer(number, portOf, agent));
  for (let at = 0; at < people.length; at += 100)
    await Promise.all(people.slice(at, at + 100).map((viewer) => viewer.open()));

  const wanted = people.map(() => new Set<string>());
  for (let done = 0; done < clicks; done += 20) {
    await Promise.all(
      Array.from({ length: 20 }, (_, n) => {
        // The control's clicks are sequential, so that every viewer it confuses receives one; the first viewer has a
        // deputy.
        const isInTurn = kind !== 'honest' || done + n === 0;
        const number = isInTurn ? (done + n) % viewers : random.below(viewers);
        const name = `click-${done + n}`;
        wanted[number]?.add(name);
        if (number % 10 === 0) wanted[number + 1]?.add(name);
        return post(agent, portOf(), JSON.stringify(clickBody({ currentUser: number, reportName: name })));
      }),
    );
    const leaving = people[random.below(viewers)];
    leaving?.close();
    await leaving?.open();
  }
  const arrived = () =>
    people.reduce((sum, { number, seen }) => {
      const names = new Set(seen.map(({ name }) => name));
      return sum + [...(wanted[number] ?? [])].filter((name) => names.has(name)).length;
    }, 0);
  const expected = wanted.reduce((sum, names) => sum + names.size, 0);
  const foreign = () =>
    people.flatMap(({ number, seen }) => seen.filter(({ name }) => !wanted[number]?.has(name))).length;
  // Waits for actions in flight before the check: every expected action, or the control's first mistake.
  const patience = { timeout: 300_000, interval: 200 };
  if (kind === 'honest') await expect.poll(arrived, patience).toBe(expected);
  else await expect.poll(foreign, patience).toBeGreaterThan(0);
  for (const viewer of people) viewer.close();
  return { expected, foreign: foreign() };
};

const viewers = sized(300, 1000);

describe.skipIf(!hasPostgres)(`${viewers} viewers on three processes (needs Postgres; seed ${seed})`, () => {
  it('receive every action addressed to them and no other', async () => {
    const { expected, foreign } = await play('honest', viewers, sized(200, 5000));
    expect(expected).toBeGreaterThan(200);
    expect(foreign).toBe(0);
  });

  it('control: detects a host that confuses signed-in viewers', async () => {
    const { foreign } = await play('mixes-up-viewers', 100, 200);
    expect(foreign).toBeGreaterThan(0);
  }, 600_000);
});
