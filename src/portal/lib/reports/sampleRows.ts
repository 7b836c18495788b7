import { seededRandom, seedOf } from '../seededRandom.ts';
import { products, regions } from './shared/ruleValues.ts';

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

const monthCount = 24;

/** Two years of sales up to the month of `nowMs`: region × month × product × channel. */
export const salesRows = (dataset: string, nowMs: number) => {
  const random = seededRandom(seedOf(`sales:${dataset}`));
  const now = new Date(nowMs);
  return Array.from({ length: monthCount }, (_, index) => {
    const firstDay = Date.UTC(now.getUTCFullYear(), now.getUTCMonth() + index + 1 - monthCount);
    const month = new Date(firstDay).toISOString().slice(0, 7);
    return regions.flatMap((region) =>
      products.flatMap((product) =>
        channels.map((channel) => {
          const season = 1 + 0.18 * Math.sin(((index + 1) / 12) * 2 * Math.PI);
          const growth = (1 + region.growth) ** index;
          const noise = 0.75 + random() * 0.5;
          const units = Math.max(
            1,
            Math.round(product.units * region.weight * channel.share * season * growth * noise),
          );
          const revenueCents = Math.round(units * product.priceCents * (0.94 + random() * 0.1));
          const owner = ownerOf(region.name, random());
          const costCents = Math.round(revenueCents * (1 - product.margin) * (0.96 + random() * 0.08));
          return {
            month,
            region: region.name,
            product: product.name,
            channel: channel.name,
            owner,
            units,
            revenue: revenueCents / 100,
            margin: (revenueCents - costCents) / 100,
          };
        }),
      ),
    );
  }).flat();
};

const sites = [
  { name: 'Roastery', lines: ['Roaster A', 'Roaster B', 'Packing'], rate: 4200 },
  { name: 'Assembly', lines: ['Line 1', 'Line 2', 'Test bench'], rate: 310 },
  { name: 'Distribution', lines: ['Inbound', 'Picking', 'Outbound'], rate: 1850 },
] as const;
const dayMs = 86_400_000;
const weekMs = 7 * dayMs;
/** A Saturday. */
const someSaturdayMs = Date.UTC(2026, 9, 31);

/**
 * Days up to that of `nowMs`. The rows of days move with the clock in whole weeks, so that weekends stay weekends: they
 * are made up to the next Saturday, and those after today are left out.
 */
const days = (nowMs: number, shownDays: number) => {
  const todayMs = Math.floor(nowMs / dayMs) * dayMs;
  const lastMs = someSaturdayMs + Math.ceil((todayMs - someSaturdayMs) / weekMs) * weekMs;
  return {
    /** Milliseconds of the day that is `age` days before the last one. */
    ofAge: (age: number) => lastMs - age * dayMs,
    isShown: ({ day }: { readonly day: string }) =>
      Date.parse(day) <= todayMs && Date.parse(day) > todayMs - shownDays * dayMs,
  };
};
const dateOf = (ms: number): string => new Date(ms).toISOString().slice(0, 10);

/** Four months of operations up to the day of `nowMs`, day × line. */
export const operationRows = (dataset: string, nowMs: number) => {
  const random = seededRandom(seedOf(`operations:${dataset}`));
  const { ofAge, isShown } = days(nowMs, 120);
  return Array.from({ length: 127 }, (_, index) => {
    const date = new Date(ofAge(126 - index));
    const isWeekend = date.getUTCDay() % 6 === 0;
    return sites.flatMap((site) =>
      site.lines.map((line, place) => {
        const trouble = random() < 0.06 ? 2 + random() * 4 : 1;
        const produced = Math.round(
          site.rate *
            (1 - place * 0.07) *
            (isWeekend ? 0.45 : 1) *
            (0.88 + random() * 0.2) *
            (trouble > 1 ? 0.8 : 1),
        );
        return {
          day: dateOf(date.getTime()),
          site: site.name,
          line,
          produced,
          defects: Math.round(produced * (0.006 + random() * 0.008) * trouble),
          downtime: Math.round((8 + random() * 26) * trouble),
        };
      }),
    );
  })
    .flat()
    .filter(isShown);
};

const places = ['Harbor', 'Old Mill', 'Station', 'Lakeside', 'University'] as const;
const trades = ['Café', 'Bakery', 'Hotel', 'Bistro'] as const;
const statuses = [
  { name: 'Delivered', until: 0.62 },
  { name: 'Shipped', until: 0.78 },
  { name: 'Confirmed', until: 0.91 },
  { name: 'On hold', until: 0.96 },
  { name: 'Canceled', until: 1 },
] as const;
const orderCount = 1450;

/** The orders of the 180 days up to that of `nowMs`. */
export const orderRows = (dataset: string, nowMs: number) => {
  const random = seededRandom(seedOf(`orders:${dataset}`));
  const { ofAge, isShown } = days(nowMs, 180);
  const pick = <TList extends readonly [unknown, ...unknown[]]>(list: TList): TList[number] =>
    list[Math.floor(random() * list.length)] ?? list[0];
  // Orders come in bursts: days are drawn at random and then sorted.
  const ages = Array.from({ length: orderCount }, () => Math.floor(random() * 187)).sort(
    (left, right) => right - left,
  );
  return ages
    .map((age, index) => {
      const region = pick(regions);
      const product = pick(products);
      const quantity = 1 + Math.floor(random() ** 3 * product.units * 0.6);
      const draw = random();
      return {
        order: `SO-${String(26_000 + index)}`,
        day: dateOf(ofAge(age)),
        customer: `${pick(places)} ${pick(trades)} ${region.name}`,
        region: region.name,
        product: product.name,
        owner: ownerOf(region.name, random()),
        status: (statuses.find((status) => draw < status.until) ?? statuses[0]).name,
        orders: 1,
        quantity,
        amount: Math.round(quantity * product.priceCents * (0.92 + random() * 0.12)) / 100,
      };
    })
    .filter(isShown);
};
