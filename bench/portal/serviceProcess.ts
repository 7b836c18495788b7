/** One of the services in a process of its own. */
import { readUsage, serveRequests } from '../lib/worker.ts';
import type { ServicePlace } from './services.ts';

serveRequests(async (request: ({ kind: 'start'; name: string } & ServicePlace) | { kind: 'usage' }) => {
  if (request.kind === 'usage') return readUsage();
  // Loaded when asked, so that a service's start time holds the loading of its own code and no other's.
  const { services } = await import('./services.ts');
  const start = services[request.name as keyof typeof services]; // the name came from the same table
  return start(request);
});
