import { createPortal, type Portal, type PortalTenant } from '@vitrine/portal';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
// The seeded rows before any rule, to compare with the pages.
import { operationRows, orderRows, salesRows } from '../../src/portal/lib/reports/sampleRows.ts';
import { administer } from './administer.ts';
import { testDatabases } from './databases.ts';
import { mintKey } from './mint.ts';
import { askTenant } from './onTenant.ts';

type Column =
  | { readonly kind: 'text'; readonly values: readonly string[]; readonly codes: readonly number[] }
  | { readonly kind: 'number'; readonly data: readonly number[] };
interface Table {
  readonly rowCount: number;
  readonly columns: Readonly<Record<string, Column>>;
}

const guid = (last: number) => `3f1c8f4e-3f0a-4c55-9b0e-${String(last).padStart(12, '0')}`;

/** Rows of a table as text, without the dates, which move with the portal's clock. */
const rowsOf = ({ rowCount, columns }: Table): string[] =>
  Array.from({ length: rowCount }, (_, row) =>
    Object.entries(columns)
      .filter(([name]) => !['Month', 'Day', 'Ordered on'].includes(name))
      .map(([, column]) =>
        column.kind === 'text' ? column.values[column.codes[row] ?? -1] : column.data[row],
      )
      .join('|'),
  );

const nowMs = Date.parse('2026-11-20T12:00:00Z');
const sales = salesRows('acme', nowMs).map((row) => ({
  ...row,
  shown: [row.region, row.product, row.channel, row.units, row.revenue, row.margin].join('|'),
}));
const orders = orderRows('acme', nowMs).map((row) => ({
  ...row,
  shown: [row.order, row.customer, row.region, row.product, row.status, 1, row.quantity, row.amount].join(
    '|',
  ),
}));
const owner = 'east.manager@acme.example';

describe.each(await testDatabases('row_level_security'))('row-level security on $name', (database) => {
  let portal: Portal;
  let acme: PortalTenant;
  /** Items 1042 and 1044 show sales and orders; this one shows operations, whose rows only the rule "all" shows. */
  let operationsId: number;

  const control = (path: string, body: unknown) =>
    fetch(`${portal.url}/_control/tenants/${acme.tenancyName}/${path}`, {
      method: 'PATCH',
      headers: { 'content-type': 'application/json' },
      body: JSON.stringify(body),
    });

  beforeAll(async () => {
    portal = await createPortal({ database: database.address });
    portal.clock.freeze(nowMs);
    acme = await portal.createTenant({ template: 'acme' });
    for (const [code, rule] of [
      ['product-grinders', { kind: 'equals', column: 'product', value: 'Grinders' }],
      // The codes that `product-grinders` begins and ends with.
      ['product', { kind: 'equals', column: 'product', value: 'Whole beans' }],
      ['grinders', { kind: 'equals', column: 'product', value: 'Spare parts' }],
      ['region-lower-case', { kind: 'equals', column: 'region', value: 'north' }],
      ['without-rule', undefined],
    ] as const) {
      const { id } = (await administer(acme, 'POST /v1/roles', { body: { name: code, type: 'RLS', code } }))
        .body;
      if (rule !== undefined) expect((await control(`roles/${id}`, { rule })).status).toBe(204);
    }
    const item = {
      type: 'dashboard',
      workspaceId: guid(1),
      reportId: guid(2),
      displayName: 'Operations under row-level security',
      additionalData: [{ type: 'semanticModel', id: guid(3), hasRls: true }],
    };
    operationsId = (await administer(acme, 'POST /v1/items', { body: item })).body.id;
    expect(orders.length).toBeGreaterThan(1000);
  });
  afterAll(async () => {
    await portal.close();
    await database.drop();
  });

  /** The rows that a key shows, on the page and in the export. */
  const rowsFor = async (itemId: number, roleNames: readonly string[], userId = 'viewer@acme.example') => {
    const key = await mintKey({ tenant: acme, itemId, roleNames, userId });
    const page = await askTenant(acme.tenantUrl, `/report/${itemId}?ev=${encodeURIComponent(key)}`);
    expect(page.status).toBe(200);
    const [, model = ''] = /<script type="application\/json" id="report-model"[^>]*>(.*?)<\/script>/s.exec(
      page.body,
    ) ?? ['', ''];
    const rows = rowsOf((JSON.parse(model) as { table: Table }).table);
    const file = await askTenant(acme.tenantUrl, `/report/${itemId}/export`, {
      method: 'POST',
      headers: { authorization: `ReportKey ${key}` },
    });
    expect(file.body.trim().split('\r\n')).toHaveLength(rows.length + 1);
    return rows;
  };
  const shown = <TRow extends { readonly shown: string }>(
    rows: readonly TRow[],
    isOpen: (row: TRow) => boolean,
  ) => {
    const open = rows.filter(isOpen).map((row) => row.shown);
    // A rule that shows nothing or everything would prove nothing.
    expect(open.length).toBeGreaterThan(0);
    expect(open.length).toBeLessThan(rows.length);
    return open;
  };

  it.each(['North', 'South', 'East', 'West'])('shows the rows of %s only to its role', async (region) => {
    const role = `region-${region.toLowerCase()}`;
    expect(await rowsFor(1042, [role])).toEqual(shown(sales, (row) => row.region === region));
    expect(await rowsFor(1044, [role])).toEqual(shown(orders, (row) => row.region === region));
  });

  it('shows every row with an all-rows rule, the only rule that shows rows without a region', async () => {
    expect(await rowsFor(1042, ['all-regions'])).toEqual(sales.map((row) => row.shown));
    expect((await rowsFor(operationsId, ['all-regions'])).length).toBeGreaterThan(0);
    expect((await rowsFor(operationsId, ['all-regions'])).length).toBeLessThanOrEqual(
      operationRows('acme', nowMs).length,
    );
    for (const roles of [['region-north'], ['own-accounts'], ['without-rule'], []])
      expect(await rowsFor(operationsId, roles, owner)).toEqual([]);
  });

  it('compares a product like a region, case-sensitively', async () => {
    expect(await rowsFor(1042, ['product-grinders'])).toEqual(
      shown(sales, (row) => row.product === 'Grinders'),
    );
    expect(await rowsFor(1042, ['region-lower-case'])).toEqual([]);
  });

  it.each([
    ['product', 'Whole beans'],
    ['grinders', 'Spare parts'],
    ['product-grinders', 'Grinders'],
  ])('shows the role %s, whose code shares text with others, only its own rows', async (role, product) => {
    expect(await rowsFor(1042, [role])).toEqual(shown(sales, (row) => row.product === product));
  });

  it('combines the rows of several roles', async () => {
    const isOpen = (row: { region: string; product: string }) =>
      row.region === 'North' || row.product === 'Grinders';
    for (const roles of [
      ['region-north', 'product-grinders'],
      ['product-grinders', 'region-north', 'without-rule'],
    ])
      expect(await rowsFor(1042, roles)).toEqual(shown(sales, isOpen));
    const ownOrNorth = (row: { region: string; owner: string }) =>
      row.region === 'North' || row.owner === owner;
    expect(await rowsFor(1044, ['region-north', 'own-accounts'], owner)).toEqual(shown(orders, ownOrNorth));
  });

  it.each([owner, 'East.Manager@acme.example', 'EAST.MANAGER@ACME.EXAMPLE', 'eAST.mANAGER@aCME.eXAMPLE'])(
    'shows the rows of the viewer %s with a USERNAME()-style role, and without any role',
    async (userId) => {
      for (const roles of [['own-accounts'], []]) {
        expect(await rowsFor(1042, roles, userId)).toEqual(shown(sales, (row) => row.owner === owner));
        expect(await rowsFor(1044, roles, userId)).toEqual(shown(orders, (row) => row.owner === owner));
      }
    },
  );

  it.each(['viewer@acme.example', 'east.manager', 'east.manager@acme.example ', '%', "' or 1=1 --"])(
    'shows no row to the viewer %s, who owns none',
    async (userId) => {
      for (const roles of [['own-accounts'], []]) expect(await rowsFor(1042, roles, userId)).toEqual([]);
    },
  );

  it('shows every row of a report without row-level security, without any role', async () => {
    const item = {
      type: 'report',
      workspaceId: guid(1),
      reportId: guid(4),
      displayName: 'Sales for everyone',
    };
    const { id } = (await administer(acme, 'POST /v1/items', { body: item })).body;
    expect(await rowsFor(id, [])).toEqual(sales.map((row) => row.shown));
  });

  it('shows no row with a role without a rule', async () => {
    expect(await rowsFor(1042, ['without-rule'], owner)).toEqual([]);
  });
});
