import type { ReportDefinition } from '../shared/reportModel.ts';
import { kpis } from './kpis.ts';
import { salesMeasures } from './salesReport.ts';

const year = { over: 'Month', window: 12, windowLabel: 'vs 12 months before' } as const;

/** "Executive summary", three pages. */
export const summaryReport: ReportDefinition = {
  subtitle: 'The last 24 months in three pages',
  source: 'sales',
  measures: salesMeasures,
  slicers: ['Region'],
  pages: [
    {
      id: 'headline',
      title: 'Headline',
      visuals: [
        ...kpis(
          { revenue: 'Revenue', 'margin-share': 'Margin %', price: 'Average price' },
          { span: 4, ...year },
        ),
        {
          kind: 'line',
          id: 'revenue-course',
          title: 'Revenue by month',
          by: 'Month',
          measure: 'revenue',
          span: 8,
        },
        {
          kind: 'donut',
          id: 'revenue-by-channel',
          title: 'Revenue by channel',
          by: 'Channel',
          measure: 'revenue',
          span: 4,
        },
      ],
    },
    {
      id: 'regions',
      title: 'Regions',
      visuals: [
        {
          kind: 'bar',
          id: 'region-by-channel',
          title: 'Revenue by region and channel',
          by: 'Region',
          stackBy: 'Channel',
          measure: 'revenue',
          direction: 'vertical',
          order: 'label',
          span: 5,
        },
        {
          kind: 'line',
          id: 'region-course',
          title: 'Margin by month and region',
          by: 'Month',
          seriesBy: 'Region',
          measure: 'margin',
          span: 7,
        },
        {
          kind: 'table',
          id: 'region-table',
          title: 'Regions',
          by: ['Region'],
          identifiedBy: 1,
          measures: ['revenue', 'margin', 'margin-share', 'units'],
          span: 12,
        },
      ],
    },
    {
      id: 'products',
      title: 'Products',
      visuals: [
        {
          kind: 'bar',
          id: 'margin-by-product',
          title: 'Margin by product',
          by: 'Product',
          measure: 'margin',
          direction: 'horizontal',
          order: 'value',
          span: 6,
        },
        {
          kind: 'bar',
          id: 'units-by-product',
          title: 'Units by product and channel',
          by: 'Product',
          stackBy: 'Channel',
          measure: 'units',
          direction: 'horizontal',
          order: 'value',
          span: 6,
        },
      ],
    },
  ],
};
