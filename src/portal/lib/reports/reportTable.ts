import type { SecuredRow } from '../rowSecurity.ts';
import { operationRows, orderRows, salesRows } from './sampleRows.ts';
import type { ReportDefinition, ReportTable, TextColumn } from './shared/reportModel.ts';

const textColumn = (texts: readonly string[]): TextColumn => {
  const values = [...new Set(texts)];
  const codes = new Map(values.map((value, code) => [value, code]));
  return { kind: 'text', values, codes: texts.map((value) => codes.get(value) ?? 0) };
};

/** What selects the rows of a report. */
export interface RowSelection {
  readonly dataset: string;
  /** The portal's time, at which sample rows end. */
  readonly nowMs: number;
  /** Whether the viewer may see a row. */
  readonly opens: (row: SecuredRow) => boolean;
}

/** The columns of a table by their names, each with its field in the rows. */
type Columns = Readonly<Record<'texts' | 'numbers', Readonly<Record<string, string>>>>;

/** A table of sample rows: only those that the viewer may see become columns. */
const sampleTable =
  (name: string, rowsOf: (dataset: string, nowMs: number) => readonly SecuredRow[], columns: Columns) =>
  ({ dataset, nowMs, opens }: RowSelection): ReportTable => {
    const rows = rowsOf(dataset, nowMs).filter(opens);
    const texts = Object.entries(columns.texts).map(
      ([column, field]) => [column, textColumn(rows.map((row) => String(row[field])))] as const,
    );
    const numbers = Object.entries(columns.numbers).map(
      ([column, field]) => [column, { kind: 'number', data: rows.map((row) => Number(row[field])) }] as const,
    );
    return { name, rowCount: rows.length, columns: Object.fromEntries([...texts, ...numbers]) };
  };

/** Reads the rows that a viewer may see, by source. Other rows never leave this function. */
export const reportTables: Readonly<
  Record<ReportDefinition['source'], (selection: RowSelection) => ReportTable>
> = {
  sales: sampleTable('Sales', salesRows, {
    texts: { Month: 'month', Region: 'region', Product: 'product', Channel: 'channel' },
    numbers: { Units: 'units', Revenue: 'revenue', Margin: 'margin' },
  }),
  operations: sampleTable('Operations', operationRows, {
    texts: { Day: 'day', Site: 'site', Line: 'line' },
    numbers: { Produced: 'produced', Defects: 'defects', Downtime: 'downtime' },
  }),
  orders: sampleTable('Orders', orderRows, {
    texts: {
      Order: 'order',
      'Ordered on': 'day',
      Customer: 'customer',
      Region: 'region',
      Product: 'product',
      Status: 'status',
    },
    numbers: { Orders: 'orders', Quantity: 'quantity', Amount: 'amount' },
  }),
};
