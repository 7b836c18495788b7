import { createServer as createHttps } from 'node:https';
import { type AddressInfo, connect, createServer, type Server, type Socket } from 'node:net';

/** A certificate for this machine's own names, created in every run. */
export const makeCertificate = async (): Promise<{ key: string; cert: string }> => {
  const name: string = 'selfsigned'; // a package of bench, which the root does not install
  const { generate } = await import(name);
  const made = await generate([{ name: 'commonName', value: 'localhost' }], {
    keySize: 2048,
    algorithm: 'sha256',
    extensions: [{ name: 'subjectAltName', altNames: [{ type: 2, value: 'localhost' }] }],
  });
  return { key: made.private, cert: made.cert };
};

/** A tenant with delayed round trips: one for TCP, one for TLS 1.3, one per request. */
export interface FarTenant {
  readonly url: string;
  /** Connections opened since the last reset to 0. */
  connections: number;
  close(): void;
}

const listen = async (server: Server): Promise<number> => {
  await new Promise<void>((resolve) => {
    server.listen(0, 'localhost', resolve);
  });
  return (server.address() as AddressInfo).port; // it listens on TCP
};

const relay = (client: Socket, port: number, roundTripMs: number): void => {
  client.setNoDelay(true);
  client.pause();
  const later = (run: () => void) => void setTimeout(run, roundTripMs);
  // The system completes the TCP handshake at once, so wait for its round trip here.
  later(() => {
    const server = connect({ port, host: 'localhost', noDelay: true });
    client.on('data', (chunk) => server.write(chunk));
    server.on('data', (chunk) => later(() => client.writable && client.write(chunk)));
    server.on('close', () => later(() => client.destroy()));
    client.on('close', () => server.destroy());
    server.on('error', () => client.destroy());
    client.on('error', () => server.destroy());
    client.resume();
  });
};

export const startFarTenant = async (
  certificate: { key: string; cert: string },
  roundTripMs: number,
): Promise<FarTenant> => {
  const tenant = createHttps({ ...certificate, minVersion: 'TLSv1.3' }, (_request, response) => {
    response
      .writeHead(200, { 'content-type': 'text/html' })
      .end('<!doctype html><title>Report</title><p>Report</p>');
  });
  const port = await listen(tenant);
  const line = createServer((client) => {
    far.connections += 1;
    relay(client, port, roundTripMs);
  });
  const far: FarTenant = {
    url: `https://localhost:${await listen(line)}`,
    connections: 0,
    close: () => {
      line.close();
      tenant.close();
      tenant.closeAllConnections();
    },
  };
  return far;
};
