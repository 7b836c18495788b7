import type { AddressInfo } from 'node:net';

/** Addresses that mean every one of the machine, and the one to reach them by. */
const loopbackOf: Readonly<Record<string, string>> = { '0.0.0.0': '127.0.0.1', '::': '::1' };

/** The origin under which a server that is bound to an address can be reached from its own machine. */
export const reachableUrl = ({ address, port }: Pick<AddressInfo, 'address' | 'port'>): string => {
  const host = loopbackOf[address] ?? address;
  return `http://${host.includes(':') ? `[${host}]` : host}:${port}`;
};

/** Whether only programs of this machine can reach what is bound to the address. */
export const isLoopback = (host: string): boolean =>
  host === 'localhost' || host === '::1' || /^127(\.\d{1,3}){3}$/.test(host);
