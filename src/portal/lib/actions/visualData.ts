import type { ActionDataPoint, ActionVisualData } from '@vitrine/contract/service';
import type { ReportDefinition } from '../report/definitions/reportDefinition.ts';
import { aggregate } from '../report/shared/aggregate.ts';
import { formatNumber } from '../report/shared/formatNumber.ts';
import type { Measure, ReportTable, Visual } from '../report/shared/reportModel.ts';
import { selectRows } from '../report/shared/selectRows.ts';
import { seriesColumn } from '../report/shared/seriesColumn.ts';
import type { ActionRequest } from './actionRequest.ts';

/** Schema in the targets of measures of the BI platform. */
const measureSchema = 'http://powerbi.com/product/schema#measure';

/** Finds a visual by name on any page of a report. */
export const findVisual = (definition: ReportDefinition, name: string): Visual | undefined =>
  definition.pages.flatMap((page) => page.visuals).find((visual) => visual.id === name);

const measureIds = (visual: Visual): readonly string[] =>
  visual.kind === 'table' ? visual.measures : [visual.measure];

/** Columns that may identify a point of the visual. */
export const identifyingColumns = (visual: Visual): readonly string[] => {
  if (visual.kind === 'kpi') return [];
  if (visual.kind === 'table') return visual.by;
  const series = seriesColumn(visual);
  return series === undefined ? [visual.by] : [visual.by, series];
};

/**
 * Computes the data of a selection from the viewer's own rows (docs/interface.md#6.1): the browser sends the points,
 * the portal their values. Points without a row that the viewer may see are omitted.
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
  // Sums of cents in euros have at most two decimals.
  value: measure.format === 'percent' ? Number(value.toFixed(6)) : Number(value.toFixed(2)),
  formattedValue: formatNumber(value, measure.format),
  target: {
    $schema: measureSchema,
    aggregationFunction: measure.per === undefined ? 'Sum' : 'Divide',
    table: table.name,
    column: measure.label,
  },
});
