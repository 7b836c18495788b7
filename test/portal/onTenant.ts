import { type Outgoing, send } from '../../src/conformance/lib/send.ts';

/** Sends a request to a tenant's public origin, whose name Node does not resolve. */
export const askTenant = async (tenantUrl: string, path: string, init: Partial<Outgoing> = {}) => {
  const { status, headers, text } = await send({ method: 'GET', ...init, url: tenantUrl + path });
  return { status, headers, body: text };
};
