import { type Agent, request } from 'node:http';
import type { GeneratedRequest } from './generatedRequest.ts';

/** The response to a generated request. */
export interface GeneratedAnswer {
  readonly status: number;
  readonly headers: Readonly<Record<string, string | string[] | undefined>>;
  readonly text: string;
}

const timeLimitMs = 20_000;

/** The target of generated requests. */
export interface FuzzAddress {
  readonly port: number;
  readonly tenancyName: string;
  readonly agent: Agent;
}

/** Sends a generated request unchanged; resolves to undefined when the portal closed the connection. */
export const sendGenerated = (
  { endpoint, method, path, headers, body }: GeneratedRequest,
  { port, tenancyName, agent }: FuzzAddress,
): Promise<GeneratedAnswer | undefined> =>
  new Promise((resolve) => {
    const host = endpoint.isOfReport ? `${tenancyName}.localhost:${port}` : `127.0.0.1:${port}`;
    const length = body === undefined ? {} : { 'content-length': String(body.length) };
    const sent = request(
      {
        host: '127.0.0.1',
        port,
        method,
        path,
        agent,
        headers: { ...headers, ...length, host },
        timeout: timeLimitMs,
      },
      (response) => {
        const chunks: Buffer[] = [];
        response.on('data', (chunk: Buffer) => chunks.push(chunk));
        response.on('error', () => resolve(undefined));
        response.on('end', () =>
          resolve({
            status: response.statusCode ?? 0,
            headers: response.headers,
            text: Buffer.concat(chunks).toString('utf8'),
          }),
        );
      },
    );
    sent.on('timeout', () => sent.destroy());
    sent.on('error', () => resolve(undefined));
    sent.end(body);
  });
