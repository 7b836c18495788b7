/**
 * Sends clicks at a steady rate, and receives them on a stream like a viewer's browser. Times count from when a click
 * was due, so that a stall affects every click that waited for it.
 */
import { Agent, get, request } from 'node:http';
import { setTimeout as wait } from 'node:timers/promises';
import { serveRequests } from '../lib/worker.ts';
import { sampleBody, token, viewerId } from './sampleBody.ts';

/** A run of clicks. */
export interface ClicksOrder {
  readonly url: string;
  readonly perSecond: number;
  readonly seconds: number;
}

/** Latencies of the clicks, in milliseconds. */
export interface ClicksResult {
  readonly acknowledgedMs: readonly number[];
  readonly shownMs: readonly number[];
  readonly healthMs: readonly number[];
  readonly failures: number;
}

const agent = new Agent({ keepAlive: true, maxSockets: 64 });

const post = (url: string, body: string): Promise<number> =>
  new Promise((resolve, reject) => {
    const headers = { authorization: `Bearer ${token}`, 'content-length': Buffer.byteLength(body) };
    const sent = request(`${url}/api/embed/webhook`, { agent, method: 'POST', headers }, (response) => {
      response.resume();
      resolve(response.statusCode ?? 0);
    });
    sent.on('error', reject);
    sent.end(body);
  });

/** Opens the viewer's stream; resolves when it has started. */
const listen = (url: string, onText: (text: string) => void): Promise<() => void> =>
  new Promise((resolve, reject) => {
    const headers = { 'x-as': viewerId, 'x-vitrine-request': '1' };
    const opened = get(`${url}/api/embed/actions`, { headers }, (response) => {
      response.setEncoding('utf8').on('data', onText);
      response.on('error', () => undefined);
      resolve(() => opened.destroy());
    });
    opened.on('error', reject);
  });

serveRequests(async ({ url, perSecond, seconds }: ClicksOrder): Promise<ClicksResult> => {
  const dueAtMs: number[] = [];
  const acknowledgedMs: number[] = [];
  const shownMs: number[] = [];
  const healthMs: number[] = [];
  let [failures, rest] = [0, ''];
  const hangUp = await listen(url, (text) => {
    const parts = (rest + text).split('\n\n');
    rest = parts.pop() ?? '';
    for (const [, n] of parts.join('\n').matchAll(/"reportName":"click-(\d+)"/g))
      shownMs.push(performance.now() - (dueAtMs[Number(n)] ?? Number.NaN));
  });
  const poll = setInterval(async () => {
    const askedAt = performance.now();
    const { ok } = await fetch(`${url}/health`);
    if (!ok) failures += 1;
    healthMs.push(performance.now() - askedAt);
  }, 1000);
  const begun: Promise<unknown>[] = [];
  const startMs = performance.now();
  for (let n = 0; n < perSecond * seconds; n += 1) {
    const dueMs = startMs + (n * 1000) / perSecond;
    const earlyMs = dueMs - performance.now();
    if (earlyMs > 0) await wait(earlyMs);
    dueAtMs.push(dueMs);
    const answered = post(url, sampleBody(1, `click-${n}`)).then((status) => {
      if (status !== 202) failures += 1;
      acknowledgedMs.push(performance.now() - dueMs);
    });
    begun.push(answered);
  }
  await Promise.all(begun);
  for (let waited = 0; shownMs.length < begun.length && waited < 600; waited += 1) await wait(100);
  clearInterval(poll);
  hangUp();
  return { acknowledgedMs, shownMs, healthMs, failures };
});
