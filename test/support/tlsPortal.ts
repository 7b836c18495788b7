import { readFileSync } from 'node:fs';
import type { RequestListener } from 'node:http';
import { createServer } from 'node:https';
import { listenOn } from './listenOn.ts';
import { closeServer, envelopeOf } from './standInPortal.ts';

/** A certificate that a portal of the tests may show. */
export type PortalCertificate = 'portal' | 'self-signed' | 'expired' | 'not-yet-valid';

/** Where a certificate of the tests lies. */
export const certificatePath = (name: PortalCertificate | 'authority' | 'client'): string =>
  `${import.meta.dirname}/certificates/${name}.pem`;

/** The private key of all of them but the authority. */
export const certificateKeyPath = `${import.meta.dirname}/certificates/portal-key.pem`;

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

/** Starts a {@link TlsPortal}; with `clientCertificate` it wants that certificate of whoever connects (mutual TLS). */
export const startTlsPortal = async (
  certificate: PortalCertificate,
  redirectTo?: string,
  clientCertificate?: 'client',
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
      key: readFileSync(certificateKeyPath),
      ...(clientCertificate && {
        requestCert: true,
        rejectUnauthorized: true,
        ca: readFileSync(certificatePath(clientCertificate)),
      }),
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
