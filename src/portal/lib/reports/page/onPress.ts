import type { ECElementEvent, ECharts } from 'echarts/core';

/** The result of a press in a chart. */
export interface PressListeners {
  /** Pressed and released on one point. */
  readonly onPoint: (event: ECElementEvent, native: MouseEvent) => void;
  /** Pressed and released outside all points. */
  readonly onElsewhere: () => void;
}

const pointOf = ({ seriesIndex, dataIndex }: ECElementEvent): string => `${seriesIndex}/${dataIndex}`;

/**
 * Listens to presses of the main button. A click event is not enough: a hovered point is redrawn, and if that happens
 * between press and release, the pressed element is gone and the browser fires no click.
 */
export const onPress = (chart: ECharts, { onPoint, onElsewhere }: PressListeners): void => {
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
    if ((event as MouseEvent).button === 0 && target === undefined && pressed === undefined) onElsewhere();
  });
};
