import type { ReportDefinition } from '../shared/reportModel.ts';
import { salesMeasures, year } from './salesReport.ts';
import { bars, columns, donut, kpis, line, table } from './visuals.ts';

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
        line('revenue-course', 'Revenue by month', { by: 'Month', measure: 'revenue', span: 8 }),
        donut('revenue-by-channel', 'Revenue by channel', { by: 'Channel', measure: 'revenue', span: 4 }),
      ],
    },
    {
      id: 'regions',
      title: 'Regions',
      visuals: [
        columns('region-by-channel', 'Revenue by region and channel', {
          by: 'Region',
          seriesBy: 'Channel',
          measure: 'revenue',
          span: 5,
        }),
        line('region-course', 'Margin by month and region', {
          by: 'Month',
          seriesBy: 'Region',
          measure: 'margin',
          span: 7,
        }),
        table('region-table', 'Regions', {
          by: ['Region'],
          measures: ['revenue', 'margin', 'margin-share', 'units'],
          span: 12,
        }),
      ],
    },
    {
      id: 'products',
      title: 'Products',
      visuals: [
        bars('margin-by-product', 'Margin by product', { by: 'Product', measure: 'margin', span: 6 }),
        bars('units-by-product', 'Units by product and channel', {
          by: 'Product',
          seriesBy: 'Channel',
          measure: 'units',
          span: 6,
        }),
      ],
    },
  ],
};
