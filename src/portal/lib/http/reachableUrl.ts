import type { AddressInfo } from 'node:net';

/** Wildcard addresses, and the loopback address for each. */
const loopbackOf: Readonly<Record<string, string>> = { '0.0.0.0': '127.0.0.1', '::': '::1' };

/** The origin of a server on its own machine, by its bound address. */
export const reachableUrl = ({ address, port }: Pick<AddressInfo, 'address' | 'port'>): string => {
  const host = loopbackOf[address] ?? address;
  return `http://${host.includes(':') ? `[${host}]` : host}:${port}`;
};

/** Whether a server bound to this address is only reachable from this machine. */
export const isLoopback = (host: string): boolean =>
  host === 'localhost' || host === '::1' || /^127(\.\d{1,3}){3}$/.test(host);
