import type { ChartVisual, KpiVisual, TableVisual } from '../shared/reportModel.ts';

type Drawn<TVisual> = Omit<TVisual, 'kind' | 'id' | 'title'>;

/** Tiles in a row, one per measure, by title. */
export const kpis = (
  titles: Readonly<Record<string, string>>,
  shared: Pick<KpiVisual, 'span' | 'over' | 'window' | 'windowLabel'>,
): readonly KpiVisual[] =>
  Object.entries(titles).map(([measure, title]) => ({
    kind: 'kpi',
    id: `kpi-${measure}`,
    title,
    measure,
    ...shared,
  }));

const chart =
  (kind: ChartVisual['kind']) =>
  (id: string, title: string, drawn: Drawn<ChartVisual>): ChartVisual => ({ kind, id, title, ...drawn });

/** A line over time. */
export const line = chart('line');
/** Horizontal bars, the longest first. */
export const bars = chart('bar');
/** Vertical bars, in the order of their labels. */
export const columns = chart('column');
/** Shares of a whole. */
export const donut = chart('donut');

/** A table whose lines are identified by their first column. */
export const table = (
  id: string,
  title: string,
  drawn: Omit<Drawn<TableVisual>, 'identifiedBy'>,
): TableVisual => ({ kind: 'table', id, title, identifiedBy: 1, ...drawn });
