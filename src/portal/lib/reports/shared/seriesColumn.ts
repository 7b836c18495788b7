import type { ChartVisual } from './reportModel.ts';

/** Second grouping column of a chart, if it has one. */
export const seriesColumn = (visual: ChartVisual): string | undefined => {
  switch (visual.kind) {
    case 'bar':
      return visual.stackBy;
    case 'line':
      return visual.seriesBy;
    case 'donut':
      return undefined;
  }
};
