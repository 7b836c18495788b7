import type { SchemaBuilder } from '../schemaBuilder.ts';

/** The rows that reports draw, by dataset. */
export const createReportRowTables = async ({ table, unique }: SchemaBuilder): Promise<void> => {
  await table('sales_rows', {
    id: 'no key',
    text: ['dataset', 'month', 'region', 'product', 'channel', 'owner'],
    number: ['units', 'revenue_cents', 'cost_cents'],
  });
  await unique('sales_rows_of_dataset', 'sales_rows', ['dataset', 'id']);

  await table('operation_rows', {
    id: 'no key',
    text: ['dataset', 'day', 'site', 'line'],
    number: ['produced', 'defects', 'downtime_minutes'],
  });
  await unique('operation_rows_of_dataset', 'operation_rows', ['dataset', 'id']);

  await table('order_rows', {
    id: 'no key',
    text: ['dataset', 'order_number', 'ordered_on', 'customer', 'region', 'product', 'owner', 'status'],
    number: ['quantity', 'amount_cents'],
  });
  await unique('order_rows_of_dataset', 'order_rows', ['dataset', 'id']);
};
