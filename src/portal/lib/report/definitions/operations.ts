import type { ReportDefinition } from './reportDefinition.ts';

/** Against the thirty days before. */
const days = { over: 'Day', window: 30, windowLabel: 'vs 30 days before' } as const;

/** "Operations board". */
export const operationsReport: ReportDefinition = {
  subtitle: 'The last 120 days, by line and day',
  source: 'operations',
  measures: [
    { id: 'produced', label: 'Produced', column: 'Produced', format: 'integer', isGoodWhen: 'higher' },
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
        { kind: 'kpi', id: 'kpi-produced', title: 'Produced', measure: 'produced', span: 3, ...days },
        { kind: 'kpi', id: 'kpi-defects', title: 'Defects', measure: 'defects', span: 3, ...days },
        {
          kind: 'kpi',
          id: 'kpi-defect-rate',
          title: 'Defect rate',
          measure: 'defect-rate',
          span: 3,
          ...days,
        },
        {
          kind: 'kpi',
          id: 'kpi-downtime',
          title: 'Downtime, minutes',
          measure: 'downtime',
          span: 3,
          ...days,
        },
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
