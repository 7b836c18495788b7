import { request as httpRequest } from 'node:http';
import { request as httpsRequest } from 'node:https';
import type { LookupFunction } from 'node:net';

/** A response without its body. */
export interface ProbeAnswer {
  readonly status: number;
  readonly headers: Readonly<Record<string, string>>;
}

const isLocal = (hostname: string): boolean => hostname === 'localhost' || hostname.endsWith('.localhost');

/** Names under `.localhost` are this machine (RFC 6761), but many resolvers do not know them. */
const lookupLocal: LookupFunction = (_hostname, options, callback) => {
  if (options.all === true) callback(null, [{ address: '127.0.0.1', family: 4 }]);
  else callback(null, '127.0.0.1', 4);
};

/** Sends one GET and reads the headers of the response. Does not follow redirects. */
export const probe = (url: URL, timeoutMs: number): Promise<ProbeAnswer> =>
  new Promise((resolve, reject) => {
    const request = url.protocol === 'https:' ? httpsRequest : httpRequest;
    const sent = request(
      url,
      {
        agent: false,
        signal: AbortSignal.timeout(timeoutMs),
        headers: { accept: 'text/html', 'sec-fetch-dest': 'iframe' },
        ...(isLocal(url.hostname) ? { lookup: lookupLocal } : {}),
      },
      (response) => {
        const headers = Object.fromEntries(
          Object.entries(response.headers).map(([name, value]) => [name, [value].flat().join(', ')]),
        );
        response.destroy();
        resolve({ status: response.statusCode ?? 0, headers });
      },
    );
    sent.on('error', reject);
    sent.end();
  });

/** The code of a failed connection, such as `ECONNREFUSED`; its message may quote an address. */
export const codeOf = (error: unknown): string => {
  if (error instanceof Error && error.name === 'AbortError') return 'TIMEOUT';
  const code = typeof error === 'object' && error !== null && 'code' in error ? error.code : undefined;
  return typeof code === 'string' ? code : 'UNKNOWN';
};
