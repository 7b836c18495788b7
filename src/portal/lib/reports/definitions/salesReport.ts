import type { Measure, ReportDefinition } from '../shared/reportModel.ts';
import { bars, columns, kpis, line, table } from './visuals.ts';

/** Measures over the sales rows. */
export const salesMeasures: readonly Measure[] = [
  { id: 'revenue', label: 'Revenue', column: 'Revenue', format: 'currency' },
  { id: 'margin', label: 'Margin', column: 'Margin', format: 'currency' },
  { id: 'margin-share', label: 'Margin %', column: 'Margin', per: 'Revenue', format: 'percent' },
  { id: 'units', label: 'Units', column: 'Units', format: 'integer' },
  { id: 'price', label: 'Average price', column: 'Revenue', per: 'Units', format: 'currency' },
];

/** Compares with the previous twelve months. */
export const year = { over: 'Month', window: 12, windowLabel: 'vs 12 months before' } as const;

/** "Sales by region". */
export const salesReport: ReportDefinition = {
  subtitle: 'The last 24 months',
  source: 'sales',
  measures: salesMeasures,
  slicers: ['Channel', 'Region'],
  pages: [
    {
      id: 'overview',
      title: 'Overview',
      visuals: [
        ...kpis(
          { revenue: 'Revenue', margin: 'Margin', 'margin-share': 'Margin %', units: 'Units sold' },
          { span: 3, ...year },
        ),
        line('revenue-by-month', 'Revenue by month', {
          by: 'Month',
          seriesBy: 'Region',
          measure: 'revenue',
          span: 8,
        }),
        columns('revenue-by-region', 'Revenue by region', { by: 'Region', measure: 'revenue', span: 4 }),
        bars('revenue-by-product', 'Revenue by product', { by: 'Product', measure: 'revenue', span: 5 }),
        table('product-table', 'Products', {
          by: ['Product'],
          measures: ['revenue', 'margin', 'margin-share', 'units', 'price'],
          span: 7,
        }),
      ],
    },
  ],
};
