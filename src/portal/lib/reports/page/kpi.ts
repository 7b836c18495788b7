import { aggregate, total } from '../shared/aggregate.ts';
import { compareTexts } from '../shared/compareTexts.ts';
import type { KpiVisual, Measure } from '../shared/reportModel.ts';
import { selectRows } from '../shared/selectRows.ts';
import { element } from './element.ts';
import { type MountedVisual, measureOf, type ReportState } from './reportState.ts';

const svg = 'http://www.w3.org/2000/svg';
const width = 120;
const height = 30;

/** A line and the area below it, without axes. */
const sparkline = (values: readonly number[]): SVGSVGElement => {
  const picture = document.createElementNS(svg, 'svg');
  picture.setAttribute('viewBox', `0 0 ${width} ${height}`);
  picture.setAttribute('preserveAspectRatio', 'none');
  if (values.length < 2) return picture;
  const low = Math.min(...values);
  const range = Math.max(...values) - low || 1;
  const points = values.map((value, place) => {
    const x = (place / (values.length - 1)) * width;
    return `${x.toFixed(1)} ${(height - 3 - ((value - low) / range) * (height - 6)).toFixed(1)}`;
  });
  const line = `M ${points.join(' L ')}`;
  for (const course of [`${line} V ${height} H 0 Z`, line]) {
    const path = document.createElementNS(svg, 'path');
    path.setAttribute('d', course);
    picture.append(path);
  }
  return picture;
};

const change = (now: number, before: number, format: Measure['format']): string => {
  if (before === 0) return '–';
  // Rates change in percentage points: from 38% to 40% is two points.
  const [difference, unit] = format === 'percent' ? [now - before, ' pts'] : [(now - before) / before, '%'];
  const shown = (Math.abs(difference) * 100).toFixed(1);
  return `${shown === '0.0' ? '±' : difference > 0 ? '+' : '−'}${shown}${unit}`;
};

/** A tile with one number, its change and its trend. */
export const mountKpi = (state: ReportState, visual: KpiVisual): MountedVisual => {
  const { over, window: size, windowLabel } = visual;
  const { table } = state.model;
  const measure = measureOf(state, visual.measure);
  const root = element('div', { class: 'kpi' });

  const update = () => {
    const rows = state.highlightedRows(visual.id) ?? state.filteredRows();
    const points = aggregate(table, rows, { by: [over], measures: [measure] }).sort((left, right) =>
      compareTexts(left.key[0] ?? '', right.key[0] ?? ''),
    );
    const sum = total(table, rows, measure);
    const within = (start: number, end?: number) => {
      const values = points.slice(start, end).map(({ key }) => key[0] ?? '');
      return total(table, selectRows(table, [{ column: over, values }], rows), measure);
    };
    const isLong = points.length >= size * 2;
    const [now, before] = isLong ? [within(-size), within(-size * 2, -size)] : [0, 0];
    const delta = change(now, before, measure.format);
    const isGood = now >= before === (measure.isGoodWhen !== 'lower');
    root.replaceChildren(
      element(
        'div',
        { class: 'kpi-value', title: state.formats.full(sum, measure.format) },
        state.formats.label(sum, measure.format),
      ),
      element(
        'div',
        { class: 'kpi-foot' },
        element('b', { class: /^[+−]/.test(delta) ? (isGood ? 'good' : 'bad') : undefined }, delta),
        windowLabel,
      ),
      sparkline(points.map(({ values }) => values[0] ?? 0)),
    );
  };
  return { root, update };
};
