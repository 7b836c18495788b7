import type { EChartsOption } from 'echarts';
import { formatCompact } from '../shared/formatNumber.ts';
import { baseOption, emphasis, type OptionInput } from './chartStyles.ts';

/** Draws shares of a whole as a ring with its sum in the middle. */
export const donutOption = (input: OptionInput): EChartsOption => {
  const { groups, theme, isPicked } = input;
  const read = (point: (typeof groups.points)[number]) => point.highlighted ?? point.value;
  const sum = groups.points.reduce((all, point) => all + read(point), 0);
  return {
    ...baseOption(theme, { hasLegend: true, format: groups.measure.format }),
    legend: { bottom: 0, icon: 'circle', itemWidth: 9, itemHeight: 9, textStyle: { color: theme.soft } },
    title: {
      text: formatCompact(sum, groups.measure.format),
      left: 'center',
      top: '39%',
      textStyle: { color: theme.ink, fontSize: 22, fontWeight: 600, fontFamily: theme.font },
    },
    series: [
      {
        type: 'pie',
        radius: ['58%', '82%'],
        center: ['50%', '44%'],
        label: { show: false },
        padAngle: 1.5,
        emphasis,
        data: groups.categories.map((category, place) => {
          const point = groups.points.find((candidate) => candidate.category === category);
          const color = theme.series[place % theme.series.length] ?? theme.ink;
          return {
            name: category,
            value: point === undefined ? 0 : read(point),
            itemStyle: { color: isPicked(category, '') ? color : `${color}40`, borderRadius: 3 },
          };
        }),
      },
    ],
  };
};
