import { actionsPath, keysPath, webhookPath } from '@vitrine/contract';

/** The route of a path under the mount. */
export type Route = 'keys' | 'actions' | 'webhook' | undefined;

/** Lenient, because the URL is typed into the portal by hand and the portal never resends a webhook. */
const webhook = new RegExp(`^/*${webhookPath}/*$`, 'i');

/**
 * Finds the route of a path without its query. Frameworks that strip the mount path pass `/keys`; others pass the whole
 * path, which must then start with the endpoint. Some redirect to a path with a trailing slash.
 */
export const matchRoute = (path: string, endpoint: string): Route => {
  const rest = endpoint !== '' && path.startsWith(`${endpoint}/`) ? path.slice(endpoint.length) : path;
  if (webhook.test(rest)) return 'webhook';
  const plain = rest.replace(/(?<=.)\/$/, '');
  if (plain === keysPath) return 'keys';
  return plain === actionsPath ? 'actions' : undefined;
};
