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

/** Sends a request as a browser does, and returns the bytes transferred. */
const load = async (path: string) => {
  const plain = await askTenant(acme.tenantUrl, path);
  const { headers } = await askTenant(acme.tenantUrl, path, { headers: { 'accept-encoding': 'gzip' } });
  expect([plain.status, headers['content-encoding']]).toEqual([200, 'gzip']);
  return { text: plain.body, bytes: Number(headers['content-length']) };
};
/** The files that the page itself references: the browser requests all of them at once. */
const namedIn = (html: string): readonly string[] => [
  ...new Set([...html.matchAll(/(?:href|src)="(\/[^"]+)"/g)].map(([, path = '']) => path)),
];

describe('a report page', () => {
  it.each([1042, 1043, 1044, 1045])(
    'loads at most 4 files and 235 KiB, all referenced in the page: %i',
    async (itemId) => {
      const key = await mintKey({ tenant: acme, itemId, roleNames: ['all-regions'] });
      const page = await load(`/report/${itemId}?ev=${encodeURIComponent(key)}`);
      const files = await Promise.all(namedIn(page.text).map(load));
      for (const { text } of files) expect(text).not.toMatch(/\b(?:import|from) ?['"]|\bimport\(|@import/);
      expect(files.length + 1).toBeLessThanOrEqual(4);
      const bytes = [page, ...files].reduce((sum, file) => sum + file.bytes, 0);
      expect(bytes).toBeLessThanOrEqual(235 * 1024);
    },
  );
});
