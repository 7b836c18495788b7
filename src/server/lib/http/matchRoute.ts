import { actionsPath, keysPath, webhookPath } from '@vitrine/contract';

/** What a path under the mount leads to. */
export type Route = 'keys' | 'actions' | 'webhook' | undefined;

/**
 * Finds the route of a path without its query. Frameworks that cut the mount off give `/keys`; the others give the
 * whole path, which must then begin with the endpoint.
 */
export const matchRoute = (path: string, endpoint: string): Route => {
  const rest = endpoint !== '' && path.startsWith(`${endpoint}/`) ? path.slice(endpoint.length) : path;
  if (rest === keysPath) return 'keys';
  if (rest === webhookPath) return 'webhook';
  return rest === actionsPath ? 'actions' : undefined;
};
