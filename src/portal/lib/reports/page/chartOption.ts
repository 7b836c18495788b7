import type { BarSeriesOption, EChartsOption, LineSeriesOption, PieSeriesOption } from 'echarts';
import { aggregate } from '../shared/aggregate.ts';
import { compareTexts } from '../shared/compareTexts.ts';
import type { ChartVisual, Measure } from '../shared/reportModel.ts';
import { ruleValues } from '../shared/ruleValues.ts';
import { measureOf, type ReportState } from './reportState.ts';

/** The amounts of a chart, by category, and by series if it has several. */
export interface ChartData {
  readonly measure: Measure;
  readonly categories: readonly string[];
  /** One empty name for a chart without series. */
  readonly series: readonly string[];
  readonly amount: (category: string, series: string) => number | undefined;
  /** The part of an amount that is selected in another visual, if something is. */
  readonly part: ((category: string, series: string) => number) | undefined;
}

/** The columns that tell the points of a chart apart. */
export const columnsOf = ({ by, seriesBy }: ChartVisual): readonly string[] =>
  [by, seriesBy].filter((column) => column !== undefined);

/** Groups the rows of a chart, whole and highlighted. */
export const chartData = (state: ReportState, visual: ChartVisual): ChartData => {
  const measure = measureOf(state, visual.measure);
  const by = columnsOf(visual);
  const group = (rows: readonly number[]) =>
    aggregate(state.model.table, rows, { by, measures: [measure] }).map(
      ({ key: [category = '', series = ''], values: [amount = 0] }) => ({ category, series, amount }),
    );
  const mapOf = (groups: ReturnType<typeof group>) =>
    new Map(groups.map(({ category, series, amount }) => [`${category}\0${series}`, amount]));
  const groups = group(state.filteredRows());
  const amounts = mapOf(groups);
  const highlighted = state.highlightedRows(visual.id);
  const parts = highlighted && mapOf(group(highlighted));
  const byCategory = Map.groupBy(groups, ({ category }) => category);
  const sumOf = (category: string) =>
    byCategory.get(category)?.reduce((sum, { amount }) => sum + amount, 0) ?? 0;
  const isByAmount = visual.kind === 'bar' || visual.kind === 'donut';
  return {
    measure,
    categories: [...byCategory.keys()].sort((left, right) =>
      isByAmount ? sumOf(right) - sumOf(left) : compareTexts(left, right),
    ),
    series: [...new Set(groups.map(({ series }) => series))].sort(compareTexts),
    amount: (category, series) => amounts.get(`${category}\0${series}`),
    part: parts && ((category, series) => parts.get(`${category}\0${series}`) ?? 0),
  };
};

const soft = 'var(--soft)';
const line = 'var(--line)';

/** All values of the columns whose values a viewer's rules may leave out. */
const allValues: Readonly<Record<string, readonly string[]>> = {
  Region: ruleValues.region,
  Product: ruleValues.product,
};

/** The color of a value of a column, the same in all charts and for all viewers: of a column that draws series or shares somewhere. */
const colorOf = ({ model }: ReportState, name: string | undefined, value: string): string => {
  const hasColors = model.pages
    .flatMap(({ visuals }) => visuals)
    .some((one) => ('seriesBy' in one && one.seriesBy === name) || (one.kind === 'donut' && one.by === name));
  const column = model.table.columns[name ?? ''];
  if (!hasColors || column?.kind !== 'text') return 'var(--series-1)';
  return `var(--series-${((allValues[name ?? ''] ?? column.values).toSorted(compareTexts).indexOf(value) % 4) + 1})`;
};

/** What is drawn, and whether a point is selected; without a selection, all points are. */
export interface ChartInput {
  readonly state: ReportState;
  readonly visual: ChartVisual;
  readonly data: ChartData;
  readonly isPicked: (category: string, series: string) => boolean;
}

/** Bars; the part selected in other visuals is in full color in front of the faint whole. */
const barSeries = ({ state, visual, data, isPicked }: ChartInput): BarSeriesOption[] => {
  const { by, seriesBy, kind } = visual;
  const draw = (name: string, isWhole: boolean): BarSeriesOption => ({
    type: 'bar',
    name,
    color: colorOf(state, seriesBy, name),
    barMaxWidth: kind === 'bar' ? 22 : 72,
    barGap: '-100%',
    emphasis: { disabled: true },
    ...(seriesBy !== undefined && { stack: isWhole ? 'whole' : 'part' }),
    label: {
      show: kind === 'bar' && seriesBy === undefined && isWhole === (data.part === undefined),
      position: 'right',
      color: soft,
      formatter: ({ value }) => state.formats.label(Number(value), data.measure.format),
    },
    data: data.categories.map((category) => ({
      value: (isWhole ? data.amount : data.part)?.(category, name) ?? 0,
      itemStyle: {
        borderRadius: seriesBy !== undefined ? 1 : kind === 'bar' ? [0, 4, 4, 0] : [4, 4, 0, 0],
        color: seriesBy === undefined ? colorOf(state, by, category) : colorOf(state, seriesBy, name),
        opacity: isWhole && (data.part !== undefined || !isPicked(category, name)) ? 0.25 : 1,
      },
    })),
  });
  const parts = data.part === undefined ? [] : data.series;
  return [...data.series.map((name) => draw(name, true)), ...parts.map((name) => draw(name, false))];
};

/** Lines over time; selected points are marked, and the part selected in other visuals is in front of the faint whole. */
const lineSeries = ({ state, visual, data, isPicked }: ChartInput): LineSeriesOption[] => {
  const hasPick = data.categories.some((category) => !data.series.every((name) => isPicked(category, name)));
  const draw = (name: string): LineSeriesOption => {
    const color = colorOf(state, visual.seriesBy, name);
    const look = { symbol: 'circle', symbolSize: 8, showSymbol: false, lineStyle: { width: 2.25 } };
    // The chart library cannot lighten a color of the style sheet, as it does under the pointer.
    const emphasis = { scale: false, itemStyle: { color }, lineStyle: { color }, areaStyle: { color } };
    return { type: 'line', name, color, ...look, emphasis };
  };
  const wholes = data.series.map((name) => ({
    ...draw(name),
    showSymbol: hasPick,
    ...(data.part && { lineStyle: { width: 1.5, opacity: 0.3 } }),
    ...(!data.part && data.series.length === 1 && { areaStyle: { opacity: 0.1 } }),
    data: data.categories.map((category) => ({
      value: data.amount(category, name) ?? 0,
      symbolSize: hasPick ? (isPicked(category, name) ? 11 : 0) : 8,
    })),
  }));
  const parts = data.series.flatMap((name) => {
    const amounts = data.categories.map((category) => data.part?.(category, name) ?? 0);
    // A series without selected rows would be a line along the axis.
    return amounts.some((amount) => amount !== 0) ? [{ ...draw(name), data: amounts }] : [];
  });
  return [...wholes, ...parts];
};

/** Shares of a whole as a ring. */
const ring = ({ state, visual, data, isPicked }: ChartInput): PieSeriesOption => ({
  type: 'pie',
  radius: ['58%', '82%'],
  center: ['50%', '44%'],
  label: { show: false },
  emphasis: { disabled: true },
  data: data.categories.map((category) => ({
    name: category,
    value: (data.part ?? data.amount)(category, '') ?? 0,
    itemStyle: {
      color: colorOf(state, visual.by, category),
      opacity: isPicked(category, '') ? 1 : 0.25,
      borderRadius: 3,
    },
  })),
});

/** The option of a chart, in colors of the style sheet: they follow the viewer's preference by themselves. */
export const chartOption = (input: ChartInput): EChartsOption => {
  const { state, visual, data } = input;
  const { formats } = state;
  const { format } = data.measure;
  const isDonut = visual.kind === 'donut';
  const isBar = visual.kind === 'bar';
  const isLine = visual.kind === 'line';
  const hasLegend = isDonut || data.series.length > 1;
  const shares = data.categories.map((category) => (data.part ?? data.amount)(category, '') ?? 0);
  const hasLabels = isBar && visual.seriesBy === undefined;
  const axis = { axisLine: { show: false }, axisTick: { show: false } };
  const categories = {
    ...axis,
    type: 'category' as const,
    data: data.categories.map(formats.category),
    inverse: isBar,
    boundaryGap: !isLine,
    // Each bar has its label, if there is room; a few months are enough.
    axisLabel: { color: soft, hideOverlap: true, margin: 10, interval: isLine ? 'auto' : 0 } as const,
  };
  const amounts = {
    ...axis,
    type: 'value' as const,
    // Bars with labels need no axis: the longest one ends at its label, and that at the edge.
    show: !hasLabels,
    ...(hasLabels && { max: 'dataMax' as const }),
    splitNumber: 4,
    splitLine: { lineStyle: { color: line } },
    axisLabel: {
      color: soft,
      hideOverlap: true,
      formatter: (amount: number) => formats.compact(amount, format),
    },
  };
  return {
    animation: !window.matchMedia('(prefers-reduced-motion: reduce)').matches,
    animationDurationUpdate: 250,
    // Labels are measured with it, so it must be the font itself.
    textStyle: { fontFamily: getComputedStyle(document.body).fontFamily, fontSize: 12 },
    legend: {
      show: hasLegend,
      ...(isDonut ? { bottom: 0 } : { top: 0, left: 0 }),
      icon: 'circle',
      itemWidth: 9,
      itemHeight: 9,
      selectedMode: false,
      textStyle: { color: soft },
    },
    tooltip: {
      trigger: visual.kind === 'line' ? 'axis' : 'item',
      confine: true,
      backgroundColor: 'var(--surface)',
      borderColor: line,
      textStyle: { color: 'var(--ink)' },
      axisPointer: { lineStyle: { color: soft } },
      valueFormatter: (value) => formats.full(Number(value), format),
    },
    ...(isDonut
      ? {
          title: {
            text: formats.label(
              shares.reduce((sum, share) => sum + share, 0),
              format,
            ),
            left: 'center',
            top: '39%',
            textStyle: { color: 'var(--ink)', fontSize: 22 },
          },
          series: ring(input),
        }
      : {
          grid: {
            left: 4,
            right: hasLabels ? 52 : isLine ? 14 : 0,
            top: hasLegend ? 36 : 12,
            bottom: 4,
            outerBoundsMode: 'same',
            outerBoundsContain: 'axisLabel',
          },
          xAxis: isBar ? amounts : categories,
          yAxis: isBar ? categories : amounts,
          series: isLine ? lineSeries(input) : barSeries(input),
        }),
  };
};
