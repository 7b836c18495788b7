import type { ChartVisual } from './reportModel.ts';

/** Second grouping column of a chart, if it has one. */
export const seriesColumn = (visual: ChartVisual): string | undefined => {
  if (visual.kind === 'bar') return visual.stackBy;
  return visual.kind === 'line' ? visual.seriesBy : undefined;
};
