import { readFileSync } from 'node:fs';
import type { RequestListener } from 'node:http';
import { createServer } from 'node:https';
import { getCACertificates, setDefaultCACertificates } from 'node:tls';
import { onTestFinished } from 'vitest';
import { listenOn } from './listenOn.ts';
import { closeServer, envelopeOf } from './standInPortal.ts';

/** A certificate for a test portal. */
export type PortalCertificate = 'portal' | 'self-signed' | 'expired' | 'not-yet-valid';

/** The path of a test certificate. */
export const certificatePath = (name: PortalCertificate | 'authority' | 'client'): string =>
  `${import.meta.dirname}/certificates/${name}.pem`;

/** The private key of all of them except the authority. */
export const certificateKeyPath = `${import.meta.dirname}/certificates/portal-key.pem`;

/** Lets Node trust test certificates until the end of the test, as with NODE_EXTRA_CA_CERTS. */
export const trust = (...names: readonly Parameters<typeof certificatePath>[0][]): void => {
  const usual = getCACertificates('default');
  setDefaultCACertificates([...usual, ...names.map((name) => readFileSync(certificatePath(name), 'utf8'))]);
  onTestFinished(() => setDefaultCACertificates(usual));
};

/**
 * Starts a portal with TLS until the end of the test that issues a key to every caller, or redirects every caller; with `clientCertificate` it
 * requires that certificate from clients (mutual TLS).
 */
export const startTlsPortal = async (
  certificate: PortalCertificate,
  redirectTo?: string,
  clientCertificate?: 'client',
) => {
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
  const close = () => closeServer(server);
  onTestFinished(close);
  const { port } = new URL(await listenOn(server));
  return {
    /** With the host name in the certificates. */
    url: `https://localhost:${port}`,
    /** With an address that is not in the certificates. */
    addressUrl: `https://127.0.0.1:${port}`,
    /** Requests that arrived: none if the connection was rejected. */
    calls: () => calls,
    close,
  };
};
