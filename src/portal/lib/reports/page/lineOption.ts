import type { EChartsOption, LineSeriesOption } from 'echarts';
import { formatCategory, formatCompact } from '../shared/formatNumber.ts';
import type { LineVisual } from '../shared/reportModel.ts';
import { axisStyle, baseOption, emphasis, type OptionInput, plotArea } from './chartStyles.ts';

/**
 * Draws lines over time; a selected month is marked, and the part selected in other visuals is in front of the faint
 * whole.
 */
export const lineOption = (visual: LineVisual, input: OptionInput): EChartsOption => {
  const { groups, theme, isPicked, hasPick } = input;
  const hasSeries = visual.seriesBy !== undefined && groups.series.length > 1;
  const values = (name: string, part: 'value' | 'highlighted') => {
    const byCategory = new Map(
      groups.points
        .filter((point) => point.series === name)
        .map((point) => [point.category, point[part] ?? 0]),
    );
    return groups.categories.map((category) => byCategory.get(category) ?? 0);
  };
  const series = groups.series.flatMap((name, place): LineSeriesOption[] => {
    const color = theme.series[place % theme.series.length] ?? theme.ink;
    const shared = {
      type: 'line' as const,
      name,
      symbol: 'circle',
      symbolSize: 7,
      emphasis: { ...emphasis, focus: 'none' as const },
      lineStyle: { width: 2.25 },
      itemStyle: { color },
    };
    const line = {
      ...shared,
      showSymbol: hasPick,
      data: values(name, 'value').map((value, index) => {
        const category = groups.categories[index] ?? '';
        return { value, symbolSize: hasPick ? (isPicked(category, name) ? 11 : 0) : 7 };
      }),
      ...(!hasSeries && {
        areaStyle: { opacity: 0.1, color },
      }),
    };
    if (!groups.hasHighlight) return [line];
    const highlighted = values(name, 'highlighted');
    return [
      {
        ...line,
        lineStyle: { width: 1.5, opacity: 0.3 },
        areaStyle: { opacity: 0 },
      },
      // A series without selected rows would be a line along the axis.
      ...(highlighted.some((value) => value !== 0)
        ? [{ ...shared, showSymbol: false, data: highlighted }]
        : []),
    ];
  });
  return {
    ...baseOption(theme, { hasLegend: hasSeries, format: groups.measure.format }),
    grid: plotArea(hasSeries ? 36 : 12),
    xAxis: {
      type: 'category',
      boundaryGap: false,
      data: [...groups.categories],
      ...axisStyle(theme),
      splitLine: { show: false },
      axisTick: { show: false },
      axisLabel: { color: theme.soft, formatter: formatCategory, hideOverlap: true },
    },
    yAxis: {
      type: 'value',
      splitNumber: 4,
      ...axisStyle(theme),
      axisLabel: {
        color: theme.soft,
        formatter: (amount: number) => formatCompact(amount, groups.measure.format),
      },
    },
    series,
  };
};
