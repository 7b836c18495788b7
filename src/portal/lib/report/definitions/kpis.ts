import type { KpiVisual } from '../shared/reportModel.ts';

/** Tiles side by side, one for each measure, by its title. */
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
