import type { Server } from 'node:http';
import { type AddressInfo, createServer } from 'node:net';

const opens = (port: number, host: string): Promise<boolean> =>
  new Promise((resolve) => {
    const probe = createServer();
    probe.once('error', (error: NodeJS.ErrnoException) => resolve(error.code === 'EADDRNOTAVAIL'));
    probe.listen(port, host, () => probe.close(() => resolve(true)));
  });

/**
 * Whether a port of this machine is free. Browsers try `localhost` on IPv6 first and would reach another program there,
 * so both must be free.
 */
export const isPortFree = async (port: number): Promise<boolean> =>
  port === 0 || ((await opens(port, '127.0.0.1')) && (await opens(port, '::1')));

/** The first free port of the ten from the wanted one, else 0: chosen by the system. */
export const freePortFrom = async (wanted: number): Promise<number> => {
  if (wanted === 0) return 0;
  for (let port = wanted; port < wanted + 10; port += 1) if (await isPortFree(port)) return port;
  return 0;
};

/** Listens only on the loopback interface and returns the port. */
export const listen = (server: Server, port: number): Promise<number> =>
  new Promise((resolve, reject) => {
    server.once('error', reject);
    // A TCP server's address is an AddressInfo.
    server.listen(port, '127.0.0.1', () => resolve((server.address() as AddressInfo).port));
  });
