import { join } from 'node:path';
import type { LoadRequest } from '../lib/load.ts';
import { cores, startWorker } from '../lib/pinned.ts';
import type { Usage } from '../lib/worker.ts';
import type { DesignName, DesignOptions } from './designs.ts';

/** Starts a design on the server's core. */
export const startDesign = async (name: DesignName, options: DesignOptions) => {
  const script = join(import.meta.dirname, 'serverProcess.ts');
  const worker = startWorker({ core: cores.server, script });
  const url = await worker.ask<string>({ kind: 'listen', name, options });
  return { name, url, worker, usage: () => worker.ask<Usage>({ kind: 'usage' }) };
};

/** Starts a portal that waits before it answers, on the load generator's core. */
export const startPortal = async (delayMs: number) => {
  const script = join(import.meta.dirname, 'portalProcess.ts');
  const worker = startWorker({ core: cores.load, script });
  return { url: await worker.ask<string>({ delayMs }), worker };
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
