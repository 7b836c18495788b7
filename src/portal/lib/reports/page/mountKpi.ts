import { element } from '../../ui/element.ts';
import { aggregate, total } from '../shared/aggregate.ts';
import { compareTexts } from '../shared/compareTexts.ts';
import { formatCompact, formatNumber } from '../shared/formatNumber.ts';
import type { KpiVisual, Measure } from '../shared/reportModel.ts';
import type { MountedVisual } from './mountedVisual.ts';
import type { ReportState } from './reportState.ts';

const svg = 'http://www.w3.org/2000/svg';
const width = 120;
const height = 30;

/** A sparkline without axes. */
const sparkline = (values: readonly number[]): SVGSVGElement => {
  const picture = document.createElementNS(svg, 'svg');
  picture.setAttribute('viewBox', `0 0 ${width} ${height}`);
  picture.setAttribute('preserveAspectRatio', 'none');
  if (values.length < 2) return picture;
  const low = Math.min(...values);
  const range = Math.max(...values) - low || 1;
  const points = values.map((value, place) => [
    ((place / (values.length - 1)) * width).toFixed(1),
    (height - 3 - ((value - low) / range) * (height - 6)).toFixed(1),
  ]);
  const path = points.map((point) => point.join(' ')).join(' L ');
  const area = document.createElementNS(svg, 'path');
  area.setAttribute('d', `M ${path} L ${width} ${height} L 0 ${height} Z`);
  area.setAttribute('class', 'sparkline-area');
  const line = document.createElementNS(svg, 'path');
  line.setAttribute('d', `M ${path}`);
  line.setAttribute('class', 'sparkline-line');
  picture.append(area, line);
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
  const value = element('div', { class: 'kpi-value' });
  const delta = element('span', { class: 'kpi-delta' });
  const note = element('span', { class: 'kpi-note', text: visual.windowLabel });
  const course = element('div', { class: 'kpi-course', attributes: { 'aria-hidden': 'true' } });
  const root = element('div', {
    class: 'kpi',
    children: [value, element('div', { class: 'kpi-foot', children: [delta, note] }), course],
  });

  const update = () => {
    const { table, measures } = state.model;
    const measure = measures.find((candidate) => candidate.id === visual.measure);
    if (measure === undefined) return;
    const rows = state.highlightedRows(visual.id) ?? state.filteredRows();
    const points = aggregate(table, rows, { by: [visual.over], measures: [measure] }).sort((left, right) =>
      compareTexts(left.key[0] ?? '', right.key[0] ?? ''),
    );
    const sum = total(table, rows, measure);
    value.textContent = formatCompact(sum, measure.format);
    value.title = formatNumber(sum, measure.format);
    course.replaceChildren(sparkline(points.map((point) => point.values[0] ?? 0)));
    const periods = compare({
      state,
      visual,
      measure,
      rows,
      dates: points.map((point) => point.key[0] ?? ''),
    });
    delta.textContent = periods === undefined ? '' : change(periods.now, periods.before, measure.format);
    note.hidden = periods === undefined;
    const isSame = delta.textContent.startsWith('±');
    const isUp = periods !== undefined && periods.now >= periods.before;
    root.dataset['trend'] =
      periods === undefined || isSame ? 'none' : isUp === (measure.isGoodWhen !== 'lower') ? 'good' : 'bad';
  };
  return { root, start: update, update, stop: () => {} };
};

interface CompareInput {
  readonly state: ReportState;
  readonly visual: KpiVisual;
  readonly measure: Measure;
  readonly rows: readonly number[];
  readonly dates: readonly string[];
}

const compare = ({ state, visual, measure, rows, dates }: CompareInput) => {
  if (dates.length < visual.window * 2) return undefined;
  const { table } = state.model;
  const column = table.columns[visual.over];
  if (column?.kind !== 'text') return undefined;
  const within = (wanted: readonly string[]) => {
    const codes = new Set(wanted.map((date) => column.values.indexOf(date)));
    return total(
      table,
      rows.filter((row) => codes.has(column.codes[row] ?? -1)),
      measure,
    );
  };
  return {
    now: within(dates.slice(-visual.window)),
    before: within(dates.slice(-visual.window * 2, -visual.window)),
  };
};
