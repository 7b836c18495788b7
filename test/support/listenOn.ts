import type { AddressInfo, Server } from 'node:net';

/** Makes a server listen on a free port of 127.0.0.1 and returns its URL. */
export const listenOn = async (server: Server): Promise<string> => {
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  // The address of a server that listens on a port has this shape.
  return `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
};
