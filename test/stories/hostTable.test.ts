import { globSync, readFileSync } from 'node:fs';
import { expect, it } from 'vitest';

/**
 * The hosts that the tests build from packed packages. The title of a test ends with those that it proves something in,
 * such as `[fastify: shown, silent]`.
 */
const hosts = {
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
const hostChecks = {
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

type HostId = keyof typeof hosts;
type HostCheckId = keyof typeof hostChecks;

/** What the titles in test files prove, as `host check`. Throws for an unknown host or check. */
const readProofs = (text: string): ReadonlySet<string> =>
  new Set(
    [...text.matchAll(/\[(\w+): ([\w, ]+)\]'/g)].flatMap(([tag, host = '', checks = '']) =>
      checks.split(', ').map((check) => {
        if (!(host in hosts && check in hostChecks)) throw new Error(`No host or no such check: ${tag}`);
        return `${host} ${check}`;
      }),
    ),
  );

const testFiles = () => globSync('test/packages/*.test.ts').map((file) => readFileSync(file, 'utf8'));

const rowOf = (cells: readonly string[]): string => `| ${cells.join(' | ')} |`;

/** The page of the manual that lists what was tested in which host. */
const hostTable = (proofs = readProofs(testFiles().join('\n'))): string => {
  const checks = Object.keys(hostChecks) as HostCheckId[];
  const lines = [
    '# Hosts',
    '',
    'The tests install the packed packages in small apps and open them in a browser. `yes`: a test proves it. Empty: it does',
    'not apply, or no test checks it.',
    '',
    rowOf(['Host', ...checks.map((check) => hostChecks[check])]),
    rowOf(['---', ...checks.map(() => '---')]),
    ...(Object.keys(hosts) as HostId[]).map((host) =>
      rowOf([hosts[host], ...checks.map((check) => (proofs.has(`${host} ${check}`) ? 'yes' : ''))]),
    ),
  ];
  return `${lines.join('\n')}\n`;
};

it('docs/hosts.md lists the results of the host tests', async () => {
  await expect(hostTable()).toMatchFileSnapshot('../../docs/hosts.md');
});
