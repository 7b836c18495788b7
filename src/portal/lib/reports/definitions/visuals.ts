import type { BarVisual, DonutVisual, KpiVisual, LineVisual, TableVisual } from '../shared/reportModel.ts';

type Drawn<TVisual> = Omit<TVisual, 'kind' | 'id' | 'title' | 'direction' | 'order'>;

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

/** A line over time. */
export const line = (id: string, title: string, drawn: Drawn<LineVisual>): LineVisual => ({
  kind: 'line',
  id,
  title,
  ...drawn,
});

/** Horizontal bars, the longest first. */
export const bars = (id: string, title: string, drawn: Drawn<BarVisual>): BarVisual => ({
  kind: 'bar',
  id,
  title,
  direction: 'horizontal',
  order: 'value',
  ...drawn,
});

/** Vertical bars, in the order of their labels. */
export const columns = (id: string, title: string, drawn: Drawn<BarVisual>): BarVisual => ({
  ...bars(id, title, drawn),
  direction: 'vertical',
  order: 'label',
});

/** Shares of a whole. */
export const donut = (id: string, title: string, drawn: Drawn<DonutVisual>): DonutVisual => ({
  kind: 'donut',
  id,
  title,
  ...drawn,
});

/** A table whose lines are identified by their first column. */
export const table = (
  id: string,
  title: string,
  drawn: Omit<Drawn<TableVisual>, 'identifiedBy'>,
): TableVisual => ({ kind: 'table', id, title, identifiedBy: 1, ...drawn });
