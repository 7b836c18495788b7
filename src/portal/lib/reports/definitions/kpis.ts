import type { KpiVisual } from '../shared/reportModel.ts';

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
