/**
 * The hosts that the tests build from packed packages. The title of a test ends with those that it proves something in,
 * such as `[fastify: shown, silent]`.
 */
export const hosts = {
  singlePage: 'Vite single-page app, Express 5',
  express4: 'the same app with CommonJS and Express 4',
  fastify: 'the same app with Fastify',
  hono: 'the same app with Hono',
  nginx: 'the same app behind nginx: path prefix, gzip, buffering',
  strict: 'strict policy: nonces, trusted types, COOP',
  isolated: 'cross-origin isolated page (COEP)',
  framed: 'page in a frame on another site',
  hashRoutes: '`<base href>` and hash routes',
  persisted: 'persisted query client',
  manyReports: '12 reports, 5 of them identical',
  copies: 'two copies of the library on one page',
  reactRouter: 'React Router, framework mode',
  nextApp: 'Next.js, App Router',
  tanstackStart: 'TanStack Start',
} as const;

/** What the tests check in a host. */
export const hostChecks = {
  shown: 'shows the report',
  silent: 'keeps the console silent',
  server: 'requests the key on the server',
  oneKey: 'requests no key twice',
  renewed: 'renews a key',
  filters: 'keeps filters when data is reloaded',
  clicks: 'delivers clicks to onAction',
  routes: 'works after a change of route',
  storage: 'stores no key',
  types: 'type-checks',
} as const;

export type HostId = keyof typeof hosts;
export type HostCheckId = keyof typeof hostChecks;
