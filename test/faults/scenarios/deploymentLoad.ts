import { once } from 'node:events';
import { type IncomingMessage, type RequestOptions, request } from 'node:http';
import { setTimeout as pause } from 'node:timers/promises';
import { clickBody } from '../../actions/support/samples.ts';
import type { Deployment } from './deployment.ts';

const clicker = 'north.manager@acme.example';

/** A request that failed, and its time. */
export interface LoadFailure {
  readonly atMs: number;
  readonly what: string;
}

/** What the viewers of a deployment and its portal recorded. */
export interface LoadTally {
  keys: number;
  /** Responses other than 200 to key requests, and other than 202 to clicks; broken connections too. */
  readonly failures: LoadFailure[];
  /** Names of clicks that received 202. */
  readonly clicks: Set<string>;
  /** Names of clicks that reached the browser of their viewer. */
  readonly arrived: Set<string>;
}

/** Sends a request over its own connection, so that none is closed during reuse. */
const ask = async (url: string, options: RequestOptions, body = ''): Promise<IncomingMessage> => {
  const sent = request(url, { ...options, agent: false });
  sent.end(body);
  const [response] = await once(sent, 'response');
  response.setEncoding('utf8');
  return response;
};

/** Lets viewers renew their keys and receive their clicks, with ten clicks per second. */
export const loadDeployment = ({ url, tenant, userNumber }: Deployment, viewers: number) => {
  const tally: LoadTally = { keys: 0, failures: [], clicks: new Set(), arrived: new Set() };
  const fail = (what: string) => void tally.failures.push({ atMs: Date.now(), what });
  const stopping = new AbortController();
  const { signal } = stopping;
  const rest = (ms: number) => pause(ms, undefined, { signal }).catch(() => undefined);
  const isGoing = () => !signal.aborted;
  const clickEnd = new AbortController();

  const post = async (path: string, headers: Record<string, string>, body: unknown) => {
    try {
      const options = { method: 'POST', headers: { 'content-type': 'application/json', ...headers } };
      const response = await ask(`${url}/api/embed/${path}`, options, JSON.stringify(body));
      const text = (await response.toArray()).join('');
      if (response.statusCode === (path === 'keys' ? 200 : 202)) return true;
      fail(`${path} ${response.statusCode} ${text.slice(0, 200)}`);
    } catch (error) {
      fail(`${path} ${String(error)}`);
    }
    return false;
  };

  const renew = async (email: string): Promise<void> => {
    await rest(Math.random() * 5_000);
    const headers = { 'x-auth-request-email': email, 'x-vitrine-request': '1' };
    while (isGoing()) {
      const isRenewed = await post('keys', headers, { itemId: 1042 });
      if (isRenewed) tally.keys += 1;
      await rest(isRenewed ? 60_000 * (0.7 + 0.2 * Math.random()) : 5_000 * Math.random());
    }
  };

  /** As a browser does: reopened whenever it ends, from its last position. */
  const follow = async (email: string): Promise<void> => {
    let position = '';
    while (isGoing()) {
      try {
        const headers = {
          'x-auth-request-email': email,
          'x-vitrine-request': '1',
          ...(position !== '' && { 'last-event-id': position }),
        };
        const response = await ask(`${url}/api/embed/actions`, { headers, signal });
        let text = '';
        for await (const chunk of response) {
          const blocks = `${text}${chunk}`.split('\n\n');
          text = blocks.pop() ?? '';
          for (const block of blocks) {
            position = /^id: ?(.*)$/m.exec(block)?.[1] ?? position;
            if (/^event: ?action$/m.test(block))
              tally.arrived.add(/"reportName":"([^"]+)"/.exec(block)?.[1] ?? block);
          }
        }
      } catch {
        // Closed by a restart, or by the test.
      }
      await rest(100);
    }
  };

  const click = async (): Promise<void> => {
    const reportId = tenant.items.find(({ id }) => id === 1042)?.guid ?? '';
    const authorization = `Bearer ${tenant.webhookSecret}`;
    for (let number = 1; isGoing() && !clickEnd.signal.aborted; number += 1) {
      const reportName = `Sales ${number}`;
      const body = clickBody({ currentUser: userNumber(clicker), reportId, reportName });
      if (await post('webhook', { authorization }, body)) tally.clicks.add(reportName);
      await rest(100);
    }
  };

  const emails = Array.from({ length: viewers }, (_, index) =>
    index === 0 ? clicker : `v${index}@acme.example`,
  );
  const running = Promise.all(emails.flatMap((email) => [renew(email), follow(email)]));
  // Clicks once the stream of the viewer has had time to open.
  const clicking = pause(2_000).then(click);
  return {
    tally,
    /** Clicks that received 202 and have not reached a browser. */
    missing: (): readonly string[] => [...tally.clicks].filter((name) => !tally.arrived.has(name)),
    stop: {
      clicking: async (): Promise<void> => {
        clickEnd.abort();
        await clicking;
      },
      all: async (): Promise<void> => {
        stopping.abort();
        await Promise.all([running, clicking]);
      },
    },
  };
};
