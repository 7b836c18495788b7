import { BarChart, LineChart, PieChart } from 'echarts/charts';
import { GridComponent, LegendPlainComponent, TitleComponent, TooltipComponent } from 'echarts/components';
import { type ECharts, init, use as register } from 'echarts/core';
import { SVGRenderer } from 'echarts/renderers';
import type { ChartVisual } from '../shared/reportModel.ts';
import { chartData, chartOption, columnsOf } from './chartOption.ts';
import { element } from './element.ts';
import { isPrinting, type MountedVisual, type ReportState } from './reportState.ts';

register([
  BarChart,
  LineChart,
  PieChart,
  GridComponent,
  LegendPlainComponent,
  TitleComponent,
  TooltipComponent,
  SVGRenderer,
]);

/**
 * Draws a chart with selection by pointer and keyboard. It is also a list box: arrows move between points, Enter or
 * Space selects. The options are in the document for screen readers; the drawing itself is hidden from them.
 */
export const mountChart = (state: ReportState, visual: ChartVisual): MountedVisual => {
  const canvas = element('div', { class: 'chart-canvas', 'aria-hidden': 'true' });
  const list = element('div', {
    class: 'chart-points',
    role: 'listbox',
    tabindex: '0',
    'aria-label': `${visual.title}. Arrow keys move, Enter selects, Escape clears.`,
    'aria-multiselectable': 'true',
  });
  const root = element('div', { class: 'chart' }, list, canvas);
  let chart: ECharts | undefined;
  let data = chartData(state, visual);
  let active = 0;
  const size = new ResizeObserver(() => chart?.resize());

  const points = () =>
    data.categories.flatMap((category) =>
      data.series.flatMap((series) => {
        const amount = data.amount(category, series);
        return amount === undefined ? [] : [{ category, series, amount }];
      }),
    );
  const pick = (category: string, series: string, event: MouseEvent | KeyboardEvent) => {
    const columns = columnsOf(visual);
    state.toggleSelection(visual.id, { columns, values: [category, series].slice(0, columns.length), event });
  };
  const isPicked = (category: string, series: string): boolean =>
    state
      .selectionIn(visual.id)
      ?.points.some(([first, second = series]) => first === category && second === series) ?? true;

  const moveTo = (place: number) => {
    active = Math.max(0, Math.min(place, list.children.length - 1));
    const point = points()[active];
    if (point === undefined) return list.removeAttribute('aria-activedescendant');
    list.setAttribute('aria-activedescendant', `${visual.id}-${active}`);
    if (document.activeElement !== list) return;
    chart?.dispatchAction({
      type: 'showTip',
      seriesIndex: data.series.indexOf(point.series),
      dataIndex: data.categories.indexOf(point.category),
    });
  };
  list.addEventListener('keydown', (event) => {
    const moves: Readonly<Record<string, number>> = {
      ArrowRight: active + 1,
      ArrowDown: active + 1,
      ArrowLeft: active - 1,
      ArrowUp: active - 1,
      Home: 0,
      End: list.children.length - 1,
    };
    const place = moves[event.key];
    const point = points()[active];
    if (place !== undefined) moveTo(place);
    else if ((event.key === 'Enter' || event.key === ' ') && point !== undefined)
      pick(point.category, point.series, event);
    else return;
    event.preventDefault();
  });
  list.addEventListener('focus', () => moveTo(active));
  list.addEventListener('blur', () => chart?.dispatchAction({ type: 'hideTip' }));

  const open = (): ECharts => {
    const opened = init(canvas, undefined, { renderer: 'svg' });
    opened.on('click', ({ dataIndex, seriesName = '', event }) => {
      const native = event?.event as MouseEvent; // what a browser reports to a chart is its own event
      // The second click of a double click would clear the selection again.
      if (native.detail > 1) return;
      pick(data.categories[dataIndex] ?? '', seriesName, native);
    });
    // As in the BI platform, a click beside the points clears their selection.
    opened.getZr().on('click', ({ target }) => {
      if (target === undefined && state.selectionIn(visual.id) !== undefined) state.clearSelection();
    });
    size.observe(canvas);
    return opened;
  };
  const update = () => {
    // Neither the first drawing nor a print is animated; changes are.
    const isAtOnce = isPrinting() || chart === undefined;
    chart ??= open();
    data = chartData(state, visual);
    const hasPick = state.selectionIn(visual.id) !== undefined;
    const option = chartOption({ state, visual, data, isPicked });
    if (isPrinting()) chart.resize();
    const printed = { ...(isAtOnce && { animation: false }), ...(isPrinting() && { tooltip: [] }) };
    chart.setOption({ ...option, ...printed }, { notMerge: true });
    list.replaceChildren(
      ...points().map(({ category, series, amount }, place) =>
        element(
          'div',
          {
            role: 'option',
            id: `${visual.id}-${place}`,
            'aria-selected': String(hasPick && isPicked(category, series)),
          },
          `${[state.formats.category(category), series].filter(Boolean).join(', ')}: ${state.formats.full(amount, data.measure.format)}`,
        ),
      ),
    );
    moveTo(active);
  };
  const stop = () => {
    size.disconnect();
    chart?.dispose();
  };
  return { root, update, stop };
};
