import { createServer, type RequestListener } from 'node:http';
import { onTestFinished } from 'vitest';
import { listenOn } from './listenOn.ts';
import { closeServer } from './standInPortal.ts';

/** Serves on a free port until the current test ends. */
export const serveUntilEnd = async (listener: RequestListener): Promise<string> => {
  const server = createServer(listener);
  onTestFinished(() => closeServer(server));
  return await listenOn(server);
};
