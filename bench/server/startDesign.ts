import { join } from 'node:path';
import type { LoadRequest } from '../lib/load.ts';
import { cores, startWorker, type Worker } from '../lib/pinned.ts';
import type { Usage } from '../lib/worker.ts';
import type { DesignName, DesignOptions } from './designs.ts';

/** A running design, on the server's core. */
export interface RunningDesign {
  readonly name: DesignName;
  readonly url: string;
  readonly worker: Worker;
  usage(): Promise<Usage>;
}

export const startDesign = async (
  name: DesignName,
  options: DesignOptions,
  nodeArgs: readonly string[] = [],
): Promise<RunningDesign> => {
  const script = join(import.meta.dirname, 'serverProcess.ts');
  const worker = startWorker({ core: cores.server, script, nodeArgs });
  const url = await worker.ask<string>({ kind: 'listen', name, options });
  return { name, url, worker, usage: () => worker.ask<Usage>({ kind: 'usage' }) };
};

export const startNodeUpstream = async (delayMs: number): Promise<{ url: string; worker: Worker }> => {
  const script = join(import.meta.dirname, 'nodeUpstream.ts');
  const worker = startWorker({ core: cores.load, script, args: [String(delayMs)] });
  return { url: await worker.ask<string>({ kind: 'listen' }), worker };
};

/** Key requests for one report, as from a browser, from a number of viewers in turn. */
export const keyRequests = (viewers: number): LoadRequest[] =>
  Array.from({ length: viewers }, (_, index) => ({
    method: 'POST',
    path: '/api/embed/keys',
    headers: {
      'content-type': 'application/json',
      'x-vitrine-request': '1',
      'sec-fetch-site': 'same-origin',
      'x-user': `viewer.${index}@acme.example`,
    },
    body: '{"itemId":1042}',
  }));
