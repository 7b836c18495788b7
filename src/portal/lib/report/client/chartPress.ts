import type { ECElementEvent, ECharts } from 'echarts/core';

/** What a press in a chart comes to. */
export interface PressListeners {
  /** Pressed and let go on one point. */
  readonly onPoint: (event: ECElementEvent, native: MouseEvent) => void;
  /** Pressed and let go beside every point. */
  readonly onBeside: () => void;
}

const pointOf = ({ seriesIndex, dataIndex }: ECElementEvent): string => `${seriesIndex}/${dataIndex}`;

/**
 * Hears of presses of the main button. A click is not enough: a point under the pointer is drawn again, last of all, and when
 * that happens between press and release, the browser finds the pressed element gone and reports no click.
 */
export const hearPresses = (chart: ECharts, { onPoint, onBeside }: PressListeners): void => {
  let pressed: string | undefined;
  chart.getZr().on('mousedown', ({ target }) => {
    if (target === undefined) pressed = undefined;
  });
  chart.on('mousedown', (event) => {
    pressed = pointOf(event);
  });
  chart.on('mouseup', (event) => {
    const native = event.event?.event as MouseEvent; // what a browser reports to a chart is its own event
    if (native.button === 0 && pressed === pointOf(event)) onPoint(event, native);
  });
  chart.getZr().on('mouseup', ({ target, event }) => {
    if ((event as MouseEvent).button === 0 && target === undefined && pressed === undefined) onBeside();
  });
};
