import type { Kysely } from 'kysely';
import type { Tables } from '../database/tables/tables.ts';
import { isWithinDays, shiftDay, shiftMonth } from '../seed/sampleDates.ts';
import type { ReportDefinition } from './definitions/reportDefinition.ts';
import { type RowAccess, rowCondition } from './rowRules.ts';
import type { NumberColumn, ReportTable, TextColumn } from './shared/reportModel.ts';

const textColumn = (texts: readonly string[]): TextColumn => {
  const places = new Map<string, number>();
  const codes = texts.map((text) => {
    const known = places.get(text);
    if (known !== undefined) return known;
    places.set(text, places.size);
    return places.size - 1;
  });
  return { kind: 'text', values: [...places.keys()], codes };
};

const numberColumn = (data: readonly number[]): NumberColumn => ({ kind: 'number', data });

/** Options for reading a report's rows. */
export interface ReportTableInput {
  readonly db: Kysely<Tables>;
  readonly dataset: string;
  readonly access: RowAccess;
  /** The portal's time, at which sample rows end. */
  readonly nowMs: number;
}

/** Reads the rows that a viewer may see. The database filters them: other rows never leave it. */
export const readReportTable = (
  source: ReportDefinition['source'],
  input: ReportTableInput,
): Promise<ReportTable> => {
  switch (source) {
    case 'sales':
      return readSales(input);
    case 'operations':
      return readOperations(input);
    case 'orders':
      return readOrders(input);
  }
};

const readSales = async ({ db, dataset, access, nowMs }: ReportTableInput): Promise<ReportTable> => {
  const rows = await db
    .selectFrom('sales_rows')
    .selectAll()
    .where('dataset', '=', dataset)
    .where(rowCondition(access))
    .orderBy('id')
    .execute();
  return {
    name: 'Sales',
    rowCount: rows.length,
    columns: {
      Month: textColumn(rows.map((row) => shiftMonth(row.month, nowMs))),
      Region: textColumn(rows.map((row) => row.region)),
      Product: textColumn(rows.map((row) => row.product)),
      Channel: textColumn(rows.map((row) => row.channel)),
      Units: numberColumn(rows.map((row) => row.units)),
      Revenue: numberColumn(rows.map((row) => row.revenue_cents / 100)),
      Margin: numberColumn(rows.map((row) => (row.revenue_cents - row.cost_cents) / 100)),
    },
  };
};

const opensEverything = (access: RowAccess): boolean =>
  access.kind === 'everything' || access.rules.some((rule) => rule.kind === 'all');

const readOperations = async ({ db, dataset, access, nowMs }: ReportTableInput): Promise<ReportTable> => {
  const stored = await db
    .selectFrom('operation_rows')
    .selectAll()
    .where('dataset', '=', dataset)
    // These rows have neither region nor owner: under row-level security, only a rule for all rows opens them.
    .where((builder) => builder.val(opensEverything(access) ? 1 : 0), '=', 1)
    .orderBy('id')
    .execute();
  const rows = stored
    .map((row) => ({ ...row, day: shiftDay(row.day, nowMs) }))
    .filter((row) => isWithinDays(row.day, 120, nowMs));
  return {
    name: 'Operations',
    rowCount: rows.length,
    columns: {
      Day: textColumn(rows.map((row) => row.day)),
      Site: textColumn(rows.map((row) => row.site)),
      Line: textColumn(rows.map((row) => row.line)),
      Produced: numberColumn(rows.map((row) => row.produced)),
      Defects: numberColumn(rows.map((row) => row.defects)),
      Downtime: numberColumn(rows.map((row) => row.downtime_minutes)),
    },
  };
};

const readOrders = async ({ db, dataset, access, nowMs }: ReportTableInput): Promise<ReportTable> => {
  const stored = await db
    .selectFrom('order_rows')
    .selectAll()
    .where('dataset', '=', dataset)
    .where(rowCondition(access))
    .orderBy('id')
    .execute();
  const rows = stored
    .map((row) => ({ ...row, ordered_on: shiftDay(row.ordered_on, nowMs) }))
    .filter((row) => isWithinDays(row.ordered_on, 180, nowMs));
  return {
    name: 'Orders',
    rowCount: rows.length,
    columns: {
      Order: textColumn(rows.map((row) => row.order_number)),
      'Ordered on': textColumn(rows.map((row) => row.ordered_on)),
      Customer: textColumn(rows.map((row) => row.customer)),
      Region: textColumn(rows.map((row) => row.region)),
      Product: textColumn(rows.map((row) => row.product)),
      Status: textColumn(rows.map((row) => row.status)),
      Orders: numberColumn(rows.map(() => 1)),
      Quantity: numberColumn(rows.map((row) => row.quantity)),
      Amount: numberColumn(rows.map((row) => row.amount_cents / 100)),
    },
  };
};
