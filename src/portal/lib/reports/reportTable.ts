import type { SecuredRow } from '../rowSecurity.ts';
import { operationRows, orderRows, salesRows } from './sampleRows.ts';
import type { NumberColumn, ReportDefinition, ReportTable, TextColumn } from './shared/reportModel.ts';

const text =
  <TRow>(of: (row: TRow) => string) =>
  (rows: readonly TRow[]): TextColumn => {
    const codes = new Map<string, number>();
    const codeOf = (value: string): number => {
      const code = codes.get(value) ?? codes.size;
      codes.set(value, code);
      return code;
    };
    const rowCodes = rows.map((row) => codeOf(of(row)));
    return { kind: 'text', values: [...codes.keys()], codes: rowCodes };
  };

const number =
  <TRow>(of: (row: TRow) => number) =>
  (rows: readonly TRow[]): NumberColumn => ({ kind: 'number', data: rows.map(of) });

/** What selects the rows of a report. */
export interface RowSelection {
  readonly dataset: string;
  /** The portal's time, at which sample rows end. */
  readonly nowMs: number;
  /** Whether the viewer may see a row. */
  readonly opens: (row: SecuredRow) => boolean;
}

/** A table of sample rows: only those that the viewer may see become columns. */
const sampleTable =
  <TRow extends SecuredRow>(
    name: string,
    rowsOf: (dataset: string, nowMs: number) => readonly TRow[],
    columns: Readonly<Record<string, (rows: readonly TRow[]) => TextColumn | NumberColumn>>,
  ) =>
  ({ dataset, nowMs, opens }: RowSelection): ReportTable => {
    const rows = rowsOf(dataset, nowMs).filter(opens);
    return {
      name,
      rowCount: rows.length,
      columns: Object.fromEntries(Object.entries(columns).map(([column, read]) => [column, read(rows)])),
    };
  };

/** Reads the rows that a viewer may see, by source. Other rows never leave this function. */
export const reportTables: Readonly<
  Record<ReportDefinition['source'], (selection: RowSelection) => ReportTable>
> = {
  sales: sampleTable('Sales', salesRows, {
    Month: text((row) => row.month),
    Region: text((row) => row.region),
    Product: text((row) => row.product),
    Channel: text((row) => row.channel),
    Units: number((row) => row.units),
    Revenue: number((row) => row.revenue),
    Margin: number((row) => row.margin),
  }),
  operations: sampleTable('Operations', operationRows, {
    Day: text((row) => row.day),
    Site: text((row) => row.site),
    Line: text((row) => row.line),
    Produced: number((row) => row.produced),
    Defects: number((row) => row.defects),
    Downtime: number((row) => row.downtime),
  }),
  orders: sampleTable('Orders', orderRows, {
    Order: text((row) => row.order),
    'Ordered on': text((row) => row.day),
    Customer: text((row) => row.customer),
    Region: text((row) => row.region),
    Product: text((row) => row.product),
    Status: text((row) => row.status),
    Orders: number(() => 1),
    Quantity: number((row) => row.quantity),
    Amount: number((row) => row.amount),
  }),
};
