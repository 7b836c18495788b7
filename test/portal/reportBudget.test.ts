import { createPortal, type Portal, type PortalTenant } from '@vitrine/portal';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { mintKey } from './mint.ts';
import { askTenant } from './onTenant.ts';

let portal: Portal;
let acme: PortalTenant;
beforeAll(async () => {
  portal = await createPortal();
  const [first] = portal.tenants;
  if (first === undefined) throw new Error('The default seed has two tenants.');
  acme = first;
});
afterAll(() => portal.close());

/** Asks as a browser does, and says how many bytes went over the wire. */
const load = async (path: string) => {
  const plain = await askTenant(acme.tenantUrl, path);
  const { headers } = await askTenant(acme.tenantUrl, path, { headers: { 'accept-encoding': 'gzip' } });
  expect([plain.status, headers['content-encoding']]).toEqual([200, 'gzip']);
  return { text: plain.body, bytes: Number(headers['content-length']) };
};
const pageOf = async (itemId: number) => {
  const key = await mintKey({ tenant: acme, itemId, roleNames: ['all-regions'] });
  return load(`/report/${itemId}?ev=${encodeURIComponent(key)}`);
};
/** What the page itself names: the browser asks for all of it at once. */
const namedIn = (html: string): readonly string[] => [
  ...new Set([...html.matchAll(/(?:href|src)="(\/[^"]+)"/g)].map(([, path = '']) => path)),
];
const importsOf = (path: string, module: string): readonly string[] =>
  [...module.matchAll(/^(?:import|export)[^'"]*from ['"](\.[^'"]+)['"]/gm)].map(
    ([, specifier = '']) => new URL(specifier, `http://portal${path}`).pathname,
  );

describe('what a report page loads before its visuals show', () => {
  it.each([1042, 1043, 1044, 1045])(
    'is named in the page, nothing is found out later: %i',
    async (itemId) => {
      const { text } = await pageOf(itemId);
      const named = namedIn(text);
      expect(named.length).toBeGreaterThan(10);
      for (const path of named) {
        if (!/\.(?:js|ts)$/.test(path)) continue;
        const missing = importsOf(path, (await load(path)).text).filter((found) => !named.includes(found));
        expect([path, missing]).toEqual([path, []]);
      }
      const [main = ''] = named.filter((path) => path.includes('/report/client/main.'));
      expect(importsOf(main, (await load(main)).text).length).toBeGreaterThan(5);
    },
  );

  it.each([1042, 1043, 1044, 1045])(
    'stays small: %i in 24 KiB, its own scripts and styles in 26 KiB, the chart library in 240 KiB',
    async (itemId) => {
      const { text, bytes } = await pageOf(itemId);
      const files = await Promise.all(
        namedIn(text).map(async (path) => ({ path, bytes: (await load(path)).bytes })),
      );
      const isLibrary = ({ path }: { path: string }) => path.endsWith('/echarts.mjs');
      const sum = (some: readonly { bytes: number }[]) => some.reduce((all, file) => all + file.bytes, 0);
      expect(bytes).toBeLessThan(24 * 1024);
      expect(sum(files.filter((file) => !isLibrary(file)))).toBeLessThan(26 * 1024);
      expect(sum(files.filter(isLibrary))).toBeLessThan(240 * 1024);
    },
  );
});
