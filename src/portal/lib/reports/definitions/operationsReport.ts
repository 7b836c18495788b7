import type { ReportDefinition } from '../shared/reportModel.ts';
import { bars, donut, kpis, line, table } from './visuals.ts';

/** Compares with the previous thirty days. */
const days = { over: 'Day', window: 30, windowLabel: 'vs 30 days before' } as const;
const badWhenMore = { isGoodWhen: 'lower' } as const;
const rate = { label: 'Defect rate', column: 'Defects', per: 'Produced', format: 'percent' } as const;

/** "Operations board". */
export const operationsReport: ReportDefinition = {
  subtitle: 'The last 120 days, by line and day',
  source: 'operations',
  measures: [
    { id: 'produced', label: 'Produced', column: 'Produced', format: 'integer' },
    { id: 'defects', label: 'Defects', column: 'Defects', format: 'integer', ...badWhenMore },
    { id: 'defect-rate', ...rate, ...badWhenMore },
    { id: 'downtime', label: 'Downtime (min)', column: 'Downtime', format: 'integer', ...badWhenMore },
  ],
  slicers: ['Site'],
  pages: [
    {
      id: 'board',
      title: 'Board',
      visuals: [
        ...kpis(
          {
            produced: 'Produced',
            defects: 'Defects',
            'defect-rate': 'Defect rate',
            downtime: 'Downtime, minutes',
          },
          { span: 3, ...days },
        ),
        line('defect-rate-by-day', 'Defect rate by day', { by: 'Day', measure: 'defect-rate', span: 12 }),
        bars('downtime-by-line', 'Downtime by line', { by: 'Line', measure: 'downtime', span: 6 }),
        donut('defects-by-site', 'Defects by site', { by: 'Site', measure: 'defects', span: 6 }),
        table('line-table', 'Lines', {
          by: ['Line', 'Site'],
          measures: ['produced', 'defects', 'defect-rate', 'downtime'],
          span: 12,
        }),
      ],
    },
  ],
};
