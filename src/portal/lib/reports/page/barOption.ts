import type { EChartsOption } from 'echarts';
import { formatCategory, formatCompact } from '../shared/formatNumber.ts';
import type { BarVisual } from '../shared/reportModel.ts';
import type { ChartGroups } from './chartGroups.ts';
import { axisStyle, baseOption, emphasis, type OptionInput, plotArea } from './chartStyles.ts';

/** Draws bars; the part selected in other visuals is in full color in front of the faint whole. */
export const barOption = (visual: BarVisual, input: OptionInput): EChartsOption => {
  const { groups, theme, isPicked } = input;
  const isAcross = visual.direction === 'horizontal';
  const hasStack = visual.stackBy !== undefined;
  // Horizontal bars have room for their amount at the end.
  const hasAmounts = isAcross && !hasStack && !groups.hasHighlight;
  const category = {
    type: 'category' as const,
    data: [...groups.categories],
    inverse: isAcross,
    ...axisStyle(theme),
    splitLine: { show: false },
    axisTick: { show: false },
    axisLabel: {
      color: theme.soft,
      formatter: formatCategory,
      ...(isAcross && { width: 118, overflow: 'truncate' as const }),
    },
  };
  const value = {
    type: 'value' as const,
    // A narrow card has no room for amounts side by side.
    splitNumber: isAcross && visual.span < 6 ? 2 : 4,
    ...axisStyle(theme),
    axisLabel: {
      color: theme.soft,
      hideOverlap: true,
      // If only some labels fit, show those at the ends.
      showMinLabel: true,
      showMaxLabel: true,
      formatter: (amount: number) => formatCompact(amount, groups.measure.format),
    },
  };
  const color = (place: number) => theme.series[place % theme.series.length] ?? theme.ink;
  const series = groups.series.flatMap((name, place) => {
    const seriesColor = hasStack ? color(place) : (theme.series[0] ?? theme.ink);
    const whole = barSeries(groups, {
      name,
      read: (point) => point.value,
      itemColor: (categoryName) =>
        groups.hasHighlight ? theme.faint : isPicked(categoryName, name) ? seriesColor : `${seriesColor}40`,
    });
    const rounded = isAcross ? [0, 4, 4, 0] : [4, 4, 0, 0];
    const shared = {
      type: 'bar' as const,
      color: seriesColor,
      barMaxWidth: isAcross ? 22 : 56,
      emphasis,
      itemStyle: { borderRadius: hasStack ? 1 : rounded },
      ...(hasStack && { stack: 'whole' }),
      ...(hasAmounts && {
        label: {
          show: true,
          position: 'right' as const,
          color: theme.soft,
          formatter: ({ value: amount }: { value?: unknown }) =>
            formatCompact(Number(amount), groups.measure.format),
        },
      }),
    };
    if (!groups.hasHighlight) return [{ ...shared, ...whole }];
    return [
      { ...shared, ...whole, silent: false, barGap: '-100%' },
      {
        ...shared,
        ...barSeries(groups, {
          name,
          read: (point) => point.highlighted ?? 0,
          itemColor: () => seriesColor,
        }),
        ...(hasStack && { stack: 'part' }),
      },
    ];
  });
  return {
    ...baseOption(theme, { hasLegend: hasStack, format: groups.measure.format }),
    grid: { ...plotArea(hasStack ? 34 : 10), ...(hasAmounts && { right: 52 }) },
    xAxis: isAcross ? value : category,
    yAxis: isAcross ? category : value,
    series,
  };
};

interface BarSeriesInput {
  readonly name: string;
  readonly read: (point: ChartGroups['points'][number]) => number;
  readonly itemColor: (category: string) => string;
}

const barSeries = (groups: ChartGroups, { name, read, itemColor }: BarSeriesInput) => ({
  name,
  data: groups.categories.map((category) => {
    const point = groups.points.find(
      (candidate) => candidate.category === category && candidate.series === name,
    );
    return { value: point === undefined ? 0 : read(point), itemStyle: { color: itemColor(category) } };
  }),
});
