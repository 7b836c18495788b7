import { readFileSync } from 'node:fs';
import type { RequestListener } from 'node:http';
import { createServer } from 'node:https';
import { listenOn } from './listenOn.ts';
import { closeServer, envelopeOf } from './standInPortal.ts';

/** Where a certificate of the tests lies. */
export const certificatePath = (name: 'authority' | 'portal' | 'self-signed'): string =>
  `${import.meta.dirname}/certificates/${name}.pem`;

/** A portal behind TLS that gives a key to everybody, or sends everybody elsewhere. */
export interface TlsPortal {
  /** By the name that the certificates are for. */
  readonly url: string;
  /** By an address that they are not for. */
  readonly addressUrl: string;
  /** Requests that came through: none when the connection was refused. */
  readonly calls: () => number;
  close(): Promise<void>;
}

/** Starts a {@link TlsPortal}. */
export const startTlsPortal = async (
  certificate: 'portal' | 'self-signed',
  redirectTo?: string,
): Promise<TlsPortal> => {
  let calls = 0;
  const listener: RequestListener = (request, response) => {
    calls += 1;
    request.resume();
    if (redirectTo === undefined) response.end(JSON.stringify(envelopeOf('key-over-tls')));
    else response.writeHead(307, { location: redirectTo }).end();
  };
  const server = createServer(
    {
      cert: readFileSync(certificatePath(certificate)),
      key: readFileSync(`${import.meta.dirname}/certificates/portal-key.pem`),
    },
    listener,
  );
  const { port } = new URL(await listenOn(server));
  return {
    url: `https://localhost:${port}`,
    addressUrl: `https://127.0.0.1:${port}`,
    calls: () => calls,
    close: () => closeServer(server),
  };
};
