import type { ActionDataPoint, ActionVisualData } from '@vitrine/contract';
import type { ReportDefinition } from '../report/definitions/reportDefinition.ts';
import { aggregate } from '../report/shared/aggregate.ts';
import { formatNumber } from '../report/shared/formatNumber.ts';
import type { Measure, ReportTable, Visual } from '../report/shared/reportModel.ts';
import { selectRows } from '../report/shared/selectRows.ts';
import { seriesColumn } from '../report/shared/seriesColumn.ts';
import type { ActionRequest } from './actionRequest.ts';

/** Schema that the BI platform names in the targets of measures. */
const measureSchema = 'http://powerbi.com/product/schema#measure';

/** The visual of this name on any page of a report. */
export const findVisual = (definition: ReportDefinition, name: string): Visual | undefined =>
  definition.pages.flatMap((page) => page.visuals).find((visual) => visual.id === name);

const measureIds = (visual: Visual): readonly string[] =>
  visual.kind === 'table' ? visual.measures : [visual.measure];

/** Columns a point of the visual may be identified by. */
export const identifyingColumns = (visual: Visual): readonly string[] => {
  if (visual.kind === 'kpi') return [];
  if (visual.kind === 'table') return visual.by;
  const series = seriesColumn(visual);
  return series === undefined ? [visual.by] : [visual.by, series];
};

/**
 * Computes the data of a selection from the viewer's own rows (docs/interface.md#6.1): the browser says which points, the
 * portal says what they hold. Points that match no row the viewer may see are left out.
 */
export const visualData = (input: {
  readonly definition: ReportDefinition;
  readonly visual: Visual;
  readonly table: ReportTable;
  readonly action: ActionRequest;
}): ActionVisualData => {
  const { definition, visual, table, action } = input;
  const measures = measureIds(visual).flatMap((id) =>
    definition.measures.filter((measure) => measure.id === id),
  );
  const data = action.points.flatMap((point): ActionDataPoint[] => {
    const filters = action.columns.map((column, place) => ({ column, values: [point[place] ?? ''] }));
    const rows = selectRows(table, [...action.filters, ...filters]);
    const [group] = aggregate(table, rows, { by: [], measures });
    if (group === undefined) return [];
    return [
      {
        identity: action.columns.map((column, place) => ({
          equals: point[place] ?? '',
          target: { table: table.name, column },
        })),
        values: measures.map((measure, place) => measureValue(table, measure, group.values[place] ?? 0)),
      },
    ];
  });
  return { visual: visual.id, data };
};

const measureValue = (
  table: ReportTable,
  measure: Measure,
  value: number,
): ActionDataPoint['values'][number] => ({
  // Sums of cents shown as euros: two digits are all there are.
  value: measure.format === 'percent' ? Number(value.toFixed(6)) : Number(value.toFixed(2)),
  formattedValue: formatNumber(value, measure.format),
  target: {
    $schema: measureSchema,
    aggregationFunction: measure.per === undefined ? 'Sum' : 'Divide',
    table: table.name,
    column: measure.label,
  },
});
