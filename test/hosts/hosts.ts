/**
 * The hosts that the tests build from packed packages. The title of a test ends with those that it proves something in, such as
 * `[fastify: shown, silent]`.
 */
export const hosts = {
  singlePage: 'Vite single-page app, Express 5',
  express4: 'the same in front of CommonJS and Express 4',
  fastify: 'the same in front of Fastify',
  hono: 'the same in front of Hono',
  nginx: 'the same behind nginx: path prefix, gzip, buffering',
  strict: 'strict policy: nonces, trusted types, COOP',
  isolated: 'cross-origin isolated page (COEP)',
  framed: 'page in a frame of another site',
  hashRoutes: '`<base href>` and hash routes',
  persisted: 'persisted query client',
  manyReports: '30 reports, 10 of them the same',
  copies: 'two copies of the library on one page',
  reactRouter: 'React Router, framework mode',
  nextApp: 'Next.js, App Router',
  tanstackStart: 'TanStack Start',
} as const;

/** What the tests look at in a host. */
export const hostChecks = {
  shown: 'shows the report',
  silent: 'keeps the console silent',
  server: 'sends the frame with the HTML',
  oneKey: 'asks for no key twice',
  renewed: 'renews a key',
  filters: 'keeps filters when data is loaded anew',
  clicks: 'brings clicks to onAction',
  routes: 'comes back after another route',
  storage: 'leaves no key in storage',
  types: 'type-checks',
} as const;

export type HostId = keyof typeof hosts;
export type HostCheckId = keyof typeof hostChecks;
