import type { EChartsOption } from 'echarts';
import { formatCategory, formatNumber } from '../shared/formatNumber.ts';
import type { NumberFormat } from '../shared/reportModel.ts';
import type { ChartGroups } from './chartGroups.ts';
import type { ChartTheme } from './chartTheme.ts';

/** Inputs of a chart option. */
export interface OptionInput {
  readonly groups: ChartGroups;
  readonly theme: ChartTheme;
  /** Whether a point is selected; without a selection, all points count as selected. */
  readonly isPicked: (category: string, series: string) => boolean;
  /** Whether this visual has a selection. */
  readonly hasPick: boolean;
}

/** Points do not change color on hover: color shows the selection. */
export const emphasis = { focus: 'none' as const, disabled: false, scale: false };

/** Axis lines that stay in the background. */
export const axisStyle = (theme: ChartTheme) => ({
  axisLine: { show: false, lineStyle: { color: theme.line } },
  splitLine: { lineStyle: { color: theme.line } },
});

/** The grid of a chart with axes: labels stay inside, with room for descenders. */
export const plotArea = (top: number) => ({
  left: 6,
  right: 20,
  top,
  bottom: 8,
  outerBoundsMode: 'same' as const,
  outerBoundsContain: 'axisLabel' as const,
});

/** What every chart shares: font, motion, legend and tooltip. */
export const baseOption = (
  theme: ChartTheme,
  options: { readonly hasLegend: boolean; readonly format: NumberFormat },
): EChartsOption => ({
  animation: !window.matchMedia('(prefers-reduced-motion: reduce)').matches,
  animationDuration: 250,
  animationDurationUpdate: 250,
  textStyle: { fontFamily: theme.font, fontSize: 12 },
  legend: {
    type: 'scroll',
    show: options.hasLegend,
    top: 0,
    left: 0,
    icon: 'circle',
    itemWidth: 9,
    itemHeight: 9,
    itemGap: 16,
    selectedMode: false,
    textStyle: { color: theme.soft, fontSize: 12 },
    // One line even on a phone, with arrows to the rest.
    pageIconColor: theme.soft,
    pageIconInactiveColor: theme.line,
    pageIconSize: 10,
    pageTextStyle: { color: theme.soft },
  },
  tooltip: {
    trigger: 'item',
    confine: true,
    backgroundColor: theme.surface,
    borderColor: theme.line,
    textStyle: { color: theme.ink, fontSize: 12.5, fontFamily: theme.font },
    formatter: (point) => {
      const one = Array.isArray(point) ? point[0] : point;
      if (one === undefined) return '';
      // Built from text nodes, so that markup in a category name is shown as text.
      const box = document.createElement('div');
      const head = document.createElement('div');
      head.textContent = [
        formatCategory(one.name),
        one.seriesName?.startsWith('series') ? '' : one.seriesName,
      ]
        .filter((part) => part !== undefined && part !== '')
        .join(' · ');
      const value = document.createElement('strong');
      value.textContent = formatNumber(Number(one.value), options.format);
      box.append(head, value);
      return box;
    },
  },
});
