import type { ReportDefinition } from '../shared/reportModel.ts';
import { kpis } from './kpis.ts';

/** Compares with the previous thirty days. */
const days = { over: 'Day', window: 30, windowLabel: 'vs 30 days before' } as const;

/** "Operations board". */
export const operationsReport: ReportDefinition = {
  subtitle: 'The last 120 days, by line and day',
  source: 'operations',
  measures: [
    { id: 'produced', label: 'Produced', column: 'Produced', format: 'integer' },
    { id: 'defects', label: 'Defects', column: 'Defects', format: 'integer', isGoodWhen: 'lower' },
    {
      id: 'defect-rate',
      label: 'Defect rate',
      column: 'Defects',
      per: 'Produced',
      format: 'percent',
      isGoodWhen: 'lower',
    },
    { id: 'downtime', label: 'Downtime (min)', column: 'Downtime', format: 'integer', isGoodWhen: 'lower' },
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
        {
          kind: 'line',
          id: 'defect-rate-by-day',
          title: 'Defect rate by day',
          by: 'Day',
          measure: 'defect-rate',
          span: 12,
        },
        {
          kind: 'bar',
          id: 'downtime-by-line',
          title: 'Downtime by line',
          by: 'Line',
          measure: 'downtime',
          direction: 'horizontal',
          order: 'value',
          span: 6,
        },
        {
          kind: 'donut',
          id: 'defects-by-site',
          title: 'Defects by site',
          by: 'Site',
          measure: 'defects',
          span: 6,
        },
        {
          kind: 'table',
          id: 'line-table',
          title: 'Lines',
          by: ['Line', 'Site'],
          identifiedBy: 1,
          measures: ['produced', 'defects', 'defect-rate', 'downtime'],
          span: 12,
        },
      ],
    },
  ],
};
