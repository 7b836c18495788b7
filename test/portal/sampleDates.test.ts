import { createPortal } from '@vitrine/portal';
import { describe, expect, it, onTestFinished } from 'vitest';
import { mintKey } from './mint.ts';
import { askTenant } from './onTenant.ts';

const start = async () => {
  const portal = await createPortal();
  onTestFinished(() => portal.close());
  const [acme] = portal.tenants;
  if (acme === undefined) throw new Error('The default seed has two tenants.');
  /** The texts of a report column, in order of first appearance. */
  const column = async (itemId: number, name: string): Promise<string[]> => {
    const key = await mintKey({ tenant: acme, itemId, roleNames: ['all-regions'] });
    const { body } = await askTenant(acme.tenantUrl, `/report/${itemId}?ev=${encodeURIComponent(key)}`);
    const [, json = '{}'] = /<script type="application\/json"[^>]*>(.*?)<\/script>/s.exec(body) ?? [];
    return JSON.parse(json).table.columns[name].values;
  };
  return { portal, column };
};

const dayMs = 86_400_000;

describe("the dates of a report's sample rows", () => {
  it.each(['2026-11-22', '2026-10-31', '2026-11-01', '2028-02-29', '2024-12-31'])(
    "end on the day of the portal's clock: %s",
    async (today) => {
      const { portal, column } = await start();
      portal.clock.set(Date.parse(`${today}T00:00:00Z`));
      const months = await column(1042, 'Month');
      expect([months.length, months.at(-1)]).toEqual([24, today.slice(0, 7)]);
      const days = (await column(1043, 'Day')).sort();
      expect([days.length, days.at(-1)]).toEqual([120, today]);
      expect(days[0]).toBe(new Date(Date.parse(today) - 119 * dayMs).toISOString().slice(0, 10));
      const ordered = (await column(1044, 'Ordered on')).sort();
      expect(Date.parse(today) - Date.parse(ordered.at(-1) ?? '')).toBeLessThanOrEqual(2 * dayMs);
    },
  );

  it('move with the clock, and weekends stay weekends', async () => {
    const { portal, column } = await start();
    portal.clock.set(Date.parse('2026-11-20T23:59:00Z'));
    const before = await column(1043, 'Day');
    portal.clock.advance(2 * 60_000);
    const after = await column(1043, 'Day');
    expect(after.at(-1)).toBe('2026-11-21');
    expect(after.slice(0, -1)).toEqual(before.slice(1));
  });
});
