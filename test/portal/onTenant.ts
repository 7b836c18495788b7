import { request } from 'node:http';

/** The response of a tenant's public origin. */
export interface TenantAnswer {
  readonly status: number;
  readonly headers: Readonly<Record<string, string | string[] | undefined>>;
  readonly body: string;
}

/**
 * Sends a request to a tenant's public origin. Node does not resolve `*.localhost`, so the connection goes to the
 * portal's own address and the Host header names the tenant.
 */
export const askTenant = (
  tenantUrl: string,
  path: string,
  init: { method?: string; headers?: Record<string, string>; body?: string } = {},
): Promise<TenantAnswer> =>
  new Promise((resolve, reject) => {
    const url = new URL(tenantUrl);
    const sent = request(
      {
        host: '127.0.0.1',
        port: url.port,
        path,
        method: init.method ?? 'GET',
        headers: { ...init.headers, host: url.host },
      },
      (response) => {
        const chunks: Buffer[] = [];
        response.on('data', (chunk: Buffer) => chunks.push(chunk));
        response.on('end', () =>
          resolve({
            status: response.statusCode ?? 0,
            headers: response.headers,
            body: Buffer.concat(chunks).toString(),
          }),
        );
        response.on('error', reject);
      },
    );
    sent.on('error', reject);
    sent.end(init.body);
  });
