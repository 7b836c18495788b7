import { actionsPath, keysPath, webhookPath } from '@vitrine/contract';

/** What a path under the mount leads to. */
export type Route = 'keys' | 'actions' | 'webhook' | undefined;

/** Whoever types the address into the portal may add a slash or a capital, and the portal never sends a webhook again. */
const webhook = new RegExp(`^/*${webhookPath}/*$`, 'i');

/**
 * Finds the route of a path without its query. Frameworks that cut the mount off give `/keys`; the others give the
 * whole path, which must then begin with the endpoint. Some redirect to a path with a slash at its end.
 */
export const matchRoute = (path: string, endpoint: string): Route => {
  const rest = endpoint !== '' && path.startsWith(`${endpoint}/`) ? path.slice(endpoint.length) : path;
  if (webhook.test(rest)) return 'webhook';
  const plain = rest.replace(/(?<=.)\/$/, '');
  if (plain === keysPath) return 'keys';
  return plain === actionsPath ? 'actions' : undefined;
};
