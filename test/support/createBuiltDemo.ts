import { fileURLToPath } from 'node:url';
import { createDemo, type Demo, type DemoOptions } from '../../examples/demo/backend/createDemo.ts';
import { buildPage } from './buildPage.ts';

/** Starts the demo with a built page, which opens several times as fast as one that Vite compiles on demand. */
export const createBuiltDemo = (options: DemoOptions = {}): Promise<Demo> =>
  createDemo({
    ...options,
    servePages: async () => {
      const root = fileURLToPath(new URL('../../examples/demo/web', import.meta.url));
      const { handler } = await buildPage({ root, hasRoutes: true });
      return { handler, close: async () => undefined };
    },
  });
