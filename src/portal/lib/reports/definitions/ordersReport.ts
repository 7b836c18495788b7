import type { ReportDefinition } from '../shared/reportModel.ts';
import { bars, kpis, table } from './visuals.ts';

const days = { over: 'Ordered on', window: 30, windowLabel: 'vs 30 days before' } as const;

/** "Order book": a table and related visuals. */
export const ordersReport: ReportDefinition = {
  subtitle: 'Orders of the last 180 days',
  source: 'orders',
  measures: [
    { id: 'amount', label: 'Amount', column: 'Amount', format: 'currency' },
    { id: 'orders', label: 'Orders', column: 'Orders', format: 'integer' },
    { id: 'quantity', label: 'Quantity', column: 'Quantity', format: 'integer' },
    { id: 'order-value', label: 'Average order', column: 'Amount', per: 'Orders', format: 'currency' },
  ],
  slicers: ['Status', 'Region'],
  pages: [
    {
      id: 'orders',
      title: 'Orders',
      visuals: [
        ...kpis(
          { amount: 'Order amount', orders: 'Number of orders', 'order-value': 'Average order' },
          { span: 4, ...days },
        ),
        table('orders-table', 'Orders', {
          by: ['Order', 'Ordered on', 'Customer', 'Product', 'Status'],
          measures: ['quantity', 'amount'],
          span: 8,
        }),
        bars('orders-by-status', 'Amount by status', { by: 'Status', measure: 'amount', span: 4 }),
      ],
    },
  ],
};
