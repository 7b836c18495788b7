import type { EChartsOption } from 'echarts';
import type { ECharts } from 'echarts/core';
import { element } from '../../ui/element.ts';
import { formatCategory, formatNumber } from '../shared/formatNumber.ts';
import type { ChartVisual } from '../shared/reportModel.ts';
import { seriesColumn } from '../shared/seriesColumn.ts';
import { barOption } from './barOption.ts';
import { type ChartGroups, chartGroups } from './chartGroups.ts';
import type { OptionInput } from './chartStyles.ts';
import { chartTheme, isPrinting } from './chartTheme.ts';
import { createChart } from './createChart.ts';
import { createChartKeyboard } from './createChartKeyboard.ts';
import { donutOption } from './donutOption.ts';
import { lineOption } from './lineOption.ts';
import type { MountedVisual } from './mountedVisual.ts';
import { onPress } from './onPress.ts';
import type { ReportState } from './reportState.ts';

const optionOf = (visual: ChartVisual, input: OptionInput): EChartsOption => {
  switch (visual.kind) {
    case 'bar':
      return barOption(visual, input);
    case 'line':
      return lineOption(visual, input);
    case 'donut':
      return donutOption(input);
  }
};

const pickOf = (state: ReportState, visual: ChartVisual) => {
  const selection = state.selection();
  return selection?.visualId === visual.id ? selection : undefined;
};

/** Draws a chart with selection by pointer and keyboard, synced with the report's state. */
export const mountChart = (state: ReportState, visual: ChartVisual): MountedVisual => {
  const canvas = element('div', { class: 'chart-canvas', attributes: { 'aria-hidden': 'true' } });
  const root = element('div', { class: 'chart', children: [canvas] });
  let chart: ECharts | undefined;
  let groups: ChartGroups;
  const second = seriesColumn(visual);
  const size = new ResizeObserver(() => {
    // The first call reports the initial size of the chart.
    if (chart?.getWidth() !== canvas.clientWidth || chart.getHeight() !== canvas.clientHeight)
      chart?.resize();
  });

  const pick = (category: string, series: string, isAdding: boolean) => {
    const hasSeries = second !== undefined && series !== '';
    state.toggleSelection(visual.id, {
      columns: hasSeries ? [visual.by, second] : [visual.by],
      values: hasSeries ? [category, series] : [category],
      isAdding,
    });
  };
  const isPicked = (category: string, series: string): boolean => {
    const selection = pickOf(state, visual);
    return (
      selection === undefined ||
      selection.points.some(
        (point) => point[0] === category && (point[1] === undefined || point[1] === series),
      )
    );
  };
  const keyboard = createChartKeyboard(root, {
    label: visual.title,
    points: () =>
      groups.categories.flatMap((category) =>
        groups.points
          .filter((point) => point.category === category)
          .map((point) => ({
            text: `${[formatCategory(category), point.series].filter((part) => part !== '').join(', ')}: ${formatNumber(
              point.value,
              groups.measure.format,
            )}`,
            isPicked: pickOf(state, visual) !== undefined && isPicked(category, point.series),
            pick: (isAdding: boolean) => pick(category, point.series, isAdding),
            show: () => showTip(category, point.series),
          })),
      ),
    clear: () => state.clearSelection(),
    leave: () => chart?.dispatchAction({ type: 'hideTip' }),
  });
  const showTip = (category: string, series: string) => {
    chart?.dispatchAction({
      type: 'showTip',
      ...(visual.kind === 'donut' ? { seriesIndex: 0 } : { seriesName: series }),
      dataIndex: groups.categories.indexOf(category),
    });
  };

  const draw = (isFirst: boolean) => {
    groups = chartGroups(state, visual);
    const input: OptionInput = {
      groups,
      theme: chartTheme(),
      isPicked,
      hasPick: pickOf(state, visual) !== undefined,
    };
    const option = optionOf(visual, input);
    // Neither the first drawing nor a print is animated; changes are.
    if (isPrinting()) chart?.resize();
    chart?.setOption(isFirst || isPrinting() ? { ...option, animation: false } : option, { notMerge: true });
    keyboard.update();
  };

  return {
    root,
    start: () => {
      chart = createChart(canvas);
      draw(true);
      onPress(chart, {
        onPoint: ({ dataIndex, name, seriesName }, native) => {
          // Ignore the second click of a double click, which would clear the selection again.
          if (native.detail > 1) return;
          const category = groups.categories[dataIndex] ?? name;
          const series = second === undefined ? '' : (seriesName ?? '');
          pick(category, series, native.ctrlKey || native.metaKey);
        },
        // As in the BI platform, this clears the selection.
        onElsewhere: () => {
          if (pickOf(state, visual) !== undefined) state.clearSelection();
        },
      });
      size.observe(canvas);
    },
    update: () => draw(false),
    stop: () => {
      size.disconnect();
      chart?.dispose();
    },
  };
};
