import { aggregate, type Group } from '../shared/aggregate.ts';
import { compareTexts } from '../shared/compareTexts.ts';
import type { ChartVisual, Measure } from '../shared/reportModel.ts';
import { seriesColumn } from '../shared/seriesColumn.ts';
import type { ReportState } from './reportState.ts';

/** One point of a chart: a category, and its series if there are several. */
export interface ChartPoint {
  readonly category: string;
  readonly series: string;
  readonly value: number;
  /** The part of the value that is selected in another visual. */
  readonly highlighted: number | undefined;
}

/** The data of a chart, computed once per change. */
export interface ChartGroups {
  readonly categories: readonly string[];
  readonly series: readonly string[];
  readonly points: readonly ChartPoint[];
  readonly measure: Measure;
  readonly hasHighlight: boolean;
}

const sumByCategory = (groups: readonly Group[]) => {
  const sums = new Map<string, number>();
  for (const { key, values } of groups)
    sums.set(key[0] ?? '', (sums.get(key[0] ?? '') ?? 0) + (values[0] ?? 0));
  return sums;
};

const orderedCategories = (visual: ChartVisual, groups: readonly Group[]): string[] => {
  const sums = sumByCategory(groups);
  const names = [...sums.keys()];
  const isByValue = visual.kind === 'donut' || (visual.kind === 'bar' && visual.order === 'value');
  return isByValue
    ? names.sort((left, right) => (sums.get(right) ?? 0) - (sums.get(left) ?? 0))
    : names.sort(compareTexts);
};

/** Groups the rows of a chart, whole and highlighted. */
export const chartGroups = (state: ReportState, visual: ChartVisual): ChartGroups => {
  const { table, measures } = state.model;
  const measure = measures.find((candidate) => candidate.id === visual.measure);
  if (measure === undefined) throw new Error(`The visual ${visual.id} uses an unknown measure.`);
  const second = seriesColumn(visual);
  const by = second === undefined ? [visual.by] : [visual.by, second];
  const groups = aggregate(table, state.filteredRows(), { by, measures: [measure] });
  const highlightedRows = state.highlightedRows(visual.id);
  const highlighted =
    highlightedRows &&
    new Map(
      aggregate(table, highlightedRows, { by, measures: [measure] }).map((group) => [
        group.key.join('\u0000'),
        group.values[0] ?? 0,
      ]),
    );
  return {
    categories: orderedCategories(visual, groups),
    series: [...new Set(groups.map((group) => group.key[1] ?? ''))].sort(compareTexts),
    points: groups.map((group) => ({
      category: group.key[0] ?? '',
      series: group.key[1] ?? '',
      value: group.values[0] ?? 0,
      highlighted: highlighted && (highlighted.get(group.key.join('\u0000')) ?? 0),
    })),
    measure,
    hasHighlight: highlighted !== undefined,
  };
};
