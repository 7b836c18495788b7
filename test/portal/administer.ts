import type { PortalTenant } from '@vitrine/portal';

/** Sends a request of the administration API with the tenant's API key (docs/interface.md#5). */
export const administer = async (
  tenant: PortalTenant,
  target: string,
  init: { readonly body?: unknown; readonly headers?: Readonly<Record<string, string>> } = {},
) => {
  const [method = 'GET', path = ''] = target.split(' ');
  const response = await fetch(`${tenant.baseUrl}${path}`, {
    method,
    headers: {
      authorization: `Bearer ${tenant.apiKey}`,
      ...(init.body !== undefined && { 'content-type': 'application/json' }),
      ...init.headers,
    },
    ...(init.body !== undefined && {
      body: typeof init.body === 'string' ? init.body : JSON.stringify(init.body),
    }),
  });
  const text = await response.text();
  return {
    status: response.status,
    headers: response.headers,
    body: text === '' ? undefined : JSON.parse(text),
  };
};

/** The response to an administration request. */
export type AdminAnswer = Awaited<ReturnType<typeof administer>>;
