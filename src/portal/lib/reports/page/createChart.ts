import { BarChart, LineChart, PieChart } from 'echarts/charts';
import { GridComponent, LegendScrollComponent, TitleComponent, TooltipComponent } from 'echarts/components';
import { type ECharts, init, use as register } from 'echarts/core';
import { SVGRenderer } from 'echarts/renderers';

register([
  BarChart,
  LineChart,
  PieChart,
  GridComponent,
  LegendScrollComponent,
  TitleComponent,
  TooltipComponent,
  SVGRenderer,
]);

/** Creates a chart in an element, with the parts of the chart library that the visuals use. */
export const createChart = (place: HTMLElement): ECharts => init(place, undefined, { renderer: 'svg' });
