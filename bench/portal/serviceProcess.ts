/** One of the services in its own process. */
import { readUsage, serveRequests } from '../lib/worker.ts';
import type { ServicePlace } from './services.ts';

serveRequests(async (request: ({ kind: 'start'; name: string } & ServicePlace) | { kind: 'usage' }) => {
  if (request.kind === 'usage') return readUsage();
  // Loaded on demand, so that a service's start time only includes loading its own code.
  const { services } = await import('./services.ts');
  const start = services[request.name as keyof typeof services]; // the name came from the same table
  return start(request);
});
