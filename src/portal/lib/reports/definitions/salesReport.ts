import type { Measure, ReportDefinition } from '../shared/reportModel.ts';
import { kpis } from './kpis.ts';

/** Measures over the sales rows. */
export const salesMeasures: readonly Measure[] = [
  { id: 'revenue', label: 'Revenue', column: 'Revenue', format: 'currency' },
  { id: 'margin', label: 'Margin', column: 'Margin', format: 'currency' },
  { id: 'margin-share', label: 'Margin %', column: 'Margin', per: 'Revenue', format: 'percent' },
  { id: 'units', label: 'Units', column: 'Units', format: 'integer' },
  { id: 'price', label: 'Average price', column: 'Revenue', per: 'Units', format: 'currency' },
];

/** Compares with the previous twelve months. */
const year = { over: 'Month', window: 12, windowLabel: 'vs 12 months before' } as const;

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
        {
          kind: 'line',
          id: 'revenue-by-month',
          title: 'Revenue by month',
          by: 'Month',
          measure: 'revenue',
          seriesBy: 'Region',
          span: 8,
        },
        {
          kind: 'bar',
          id: 'revenue-by-region',
          title: 'Revenue by region',
          by: 'Region',
          measure: 'revenue',
          direction: 'vertical',
          order: 'label',
          span: 4,
        },
        {
          kind: 'bar',
          id: 'revenue-by-product',
          title: 'Revenue by product',
          by: 'Product',
          measure: 'revenue',
          direction: 'horizontal',
          order: 'value',
          span: 5,
        },
        {
          kind: 'table',
          id: 'product-table',
          title: 'Products',
          by: ['Product'],
          identifiedBy: 1,
          measures: ['revenue', 'margin', 'margin-share', 'units', 'price'],
          span: 7,
        },
      ],
    },
  ],
};
