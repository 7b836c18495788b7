import type {
  OperationRowsTable,
  OrderRowsTable,
  SalesRowsTable,
} from '../database/tables/reportRowTables.ts';
import type { ruleValues } from '../report/shared/ruleValues.ts';
import { sampleEnd } from './sampleDates.ts';
import { seededRandom, seedOf } from './seededRandom.ts';

/** The forms of the console list these names. */
type Named<TName> = { readonly name: TName; readonly [figure: string]: number | TName };

const regions = [
  { name: 'North', weight: 1.15, growth: 0.011 },
  { name: 'South', weight: 0.82, growth: 0.019 },
  { name: 'East', weight: 1, growth: 0.004 },
  { name: 'West', weight: 1.34, growth: 0.008 },
] as const satisfies readonly Named<(typeof ruleValues.region)[number]>[];
const products = [
  { name: 'Espresso machines', priceCents: 42_900, margin: 0.38, units: 22 },
  { name: 'Grinders', priceCents: 18_900, margin: 0.41, units: 30 },
  { name: 'Filter coffee', priceCents: 2_450, margin: 0.52, units: 240 },
  { name: 'Whole beans', priceCents: 3_100, margin: 0.47, units: 310 },
  { name: 'Water filters', priceCents: 1_790, margin: 0.61, units: 180 },
  { name: 'Cups and glasses', priceCents: 1_250, margin: 0.55, units: 150 },
  { name: 'Service plans', priceCents: 9_900, margin: 0.72, units: 26 },
  { name: 'Spare parts', priceCents: 3_600, margin: 0.44, units: 70 },
] as const satisfies readonly Named<(typeof ruleValues.product)[number]>[];
const channels = [
  { name: 'Direct', share: 0.46 },
  { name: 'Partner', share: 0.31 },
  { name: 'Online', share: 0.23 },
] as const;
const jobs = ['account.executive', 'sales.analyst', 'inside.sales', 'manager'] as const;

/** Account managers of a region by email address, including the regional manager. */
const ownerOf = (region: string, pick: number): string => {
  const job = jobs[Math.floor(pick * jobs.length)] ?? 'manager';
  const name = region.toLowerCase();
  return job === 'manager' ? `${name}.manager@acme.example` : `${job}.${name}@acme.example`;
};

const monthText = (index: number) => {
  const year = 2024 + Math.floor((index + 10) / 12);
  return `${year}-${String(((index + 10) % 12) + 1).padStart(2, '0')}`;
};

const monthCount = 24;

/** Two years of sales: region × month × product × channel. */
export const salesRows = (dataset: string): SalesRowsTable[] => {
  const random = seededRandom(seedOf(`sales:${dataset}`));
  const rows: SalesRowsTable[] = [];
  for (let month = 0; month < monthCount; month += 1)
    for (const region of regions)
      for (const product of products)
        for (const channel of channels) {
          const season = 1 + 0.18 * Math.sin(((month + 1) / 12) * 2 * Math.PI);
          const growth = (1 + region.growth) ** month;
          const noise = 0.75 + random() * 0.5;
          const units = Math.max(
            1,
            Math.round(product.units * region.weight * channel.share * season * growth * noise),
          );
          const revenue = Math.round(units * product.priceCents * (0.94 + random() * 0.1));
          rows.push({
            dataset,
            id: rows.length + 1,
            month: monthText(month),
            region: region.name,
            product: product.name,
            channel: channel.name,
            owner: ownerOf(region.name, random()),
            units,
            revenue_cents: revenue,
            cost_cents: Math.round(revenue * (1 - product.margin) * (0.96 + random() * 0.08)),
          });
        }
  return rows;
};

const sites = [
  { name: 'Roastery', lines: ['Roaster A', 'Roaster B', 'Packing'], rate: 4200 },
  { name: 'Assembly', lines: ['Line 1', 'Line 2', 'Test bench'], rate: 310 },
  { name: 'Distribution', lines: ['Inbound', 'Picking', 'Outbound'], rate: 1850 },
] as const;
/**
 * One week more than reports show: days move with the portal's clock in whole weeks, so that weekends stay weekends.
 */
const dayCount = 127;
const dayMs = 86_400_000;
const lastDay = sampleEnd.dayMs;

/** Four months of operations and a week, day × line. */
export const operationRows = (dataset: string): OperationRowsTable[] => {
  const random = seededRandom(seedOf(`operations:${dataset}`));
  const rows: OperationRowsTable[] = [];
  for (let day = dayCount - 1; day >= 0; day -= 1)
    for (const site of sites)
      for (const [place, line] of site.lines.entries()) {
        const date = new Date(lastDay - day * dayMs);
        const isWeekend = date.getUTCDay() % 6 === 0;
        const trouble = random() < 0.06 ? 2 + random() * 4 : 1;
        const produced = Math.round(
          site.rate *
            (1 - place * 0.07) *
            (isWeekend ? 0.45 : 1) *
            (0.88 + random() * 0.2) *
            (trouble > 1 ? 0.8 : 1),
        );
        rows.push({
          dataset,
          id: rows.length + 1,
          day: date.toISOString().slice(0, 10),
          site: site.name,
          line,
          produced,
          defects: Math.round(produced * (0.006 + random() * 0.008) * trouble),
          downtime_minutes: Math.round((8 + random() * 26) * trouble),
        });
      }
  return rows;
};

const customers = [
  'Harbor Café',
  'Old Mill Bakery',
  'Station Kiosk',
  'Lakeside Hotel',
  'Corner Bistro',
  'University Canteen',
  'City Library Café',
  'Mountain Lodge',
  'Garden Restaurant',
  'Airport Lounge',
  'Theater Bar',
  'Market Hall',
  'Riverside Deli',
  'Museum Café',
  'Business Park',
  'Seaside Pension',
  'Clinic Cafeteria',
  'Roadhouse',
  'Town Hall',
  'Vineyard Inn',
] as const;
const statuses = [
  { name: 'Delivered', until: 0.62 },
  { name: 'Shipped', until: 0.78 },
  { name: 'Confirmed', until: 0.91 },
  { name: 'On hold', until: 0.96 },
  { name: 'Canceled', until: 1 },
] as const;
const orderCount = 1450;

/** The orders of the last half year. */
export const orderRows = (dataset: string): OrderRowsTable[] => {
  const random = seededRandom(seedOf(`orders:${dataset}`));
  const pick = <TList extends readonly [unknown, ...unknown[]]>(list: TList): TList[number] =>
    list[Math.floor(random() * list.length)] ?? list[0];
  // Orders come in bursts: days are drawn at random and then sorted.
  const ages = Array.from({ length: orderCount }, () => Math.floor(random() * 187)).sort(
    (left, right) => right - left,
  );
  return Array.from({ length: orderCount }, (_, index) => {
    const region = pick(regions);
    const product = pick(products);
    const quantity = 1 + Math.floor(random() ** 3 * product.units * 0.6);
    const draw = random();
    const age = ages[index] ?? 0;
    return {
      dataset,
      id: index + 1,
      order_number: `SO-${String(26_000 + index)}`,
      ordered_on: new Date(lastDay - age * dayMs).toISOString().slice(0, 10),
      customer: `${pick(customers)} ${region.name}`,
      region: region.name,
      product: product.name,
      owner: ownerOf(region.name, random()),
      status: (statuses.find((status) => draw < status.until) ?? statuses[0]).name,
      quantity,
      amount_cents: Math.round(quantity * product.priceCents * (0.92 + random() * 0.12)),
    };
  });
};
