import type { Server } from 'node:http';
import type { Actions } from '@vitrine/server/actions';

/** Stops a server as the guide about clicks says. */
export const stopServer = async (
  server: Server,
  actions: Pick<Actions, 'close' | 'drain'>,
  graceMs = 10_000,
): Promise<void> => {
  await actions.drain(graceMs);
  const stopped = new Promise((resolve) => server.close(resolve));
  const cut = setTimeout(() => server.closeAllConnections(), graceMs);
  await stopped;
  clearTimeout(cut);
  await actions.close(graceMs);
};
