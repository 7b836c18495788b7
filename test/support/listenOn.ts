import type { AddressInfo, Server } from 'node:net';

/** Lets a server listen on a free port of 127.0.0.1 and gives its address. */
export const listenOn = async (server: Server): Promise<string> => {
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  // A server that listens on a port has an address of this shape.
  return `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
};
