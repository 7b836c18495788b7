import { element } from '../../ui/element.ts';

/** One point of a chart for the keyboard and screen readers. */
export interface KeyboardPoint {
  readonly text: string;
  readonly isPicked: boolean;
  readonly pick: (isAdding: boolean) => void;
  readonly show: () => void;
}

/** Options of {@link createChartKeyboard}. */
export interface ChartKeyboardOptions {
  readonly label: string;
  readonly points: () => readonly KeyboardPoint[];
  readonly clear: () => void;
  readonly leave: () => void;
}

let count = 0;

/**
 * Makes a chart a list box: arrows move between points, Enter or Space selects, Escape clears. The options are in the
 * document for screen readers; the drawing itself is hidden from them.
 */
export const createChartKeyboard = (
  chart: HTMLElement,
  options: ChartKeyboardOptions,
): { readonly update: () => void } => {
  count += 1;
  const prefix = `chart-${count}-point-`;
  const list = element('div', {
    class: 'chart-points',
    attributes: {
      role: 'listbox',
      tabindex: '0',
      'aria-label': `${options.label}. Arrow keys move, Enter selects, Escape clears.`,
      'aria-multiselectable': 'true',
    },
  });
  chart.prepend(list);
  let active = 0;

  const update = () => {
    const points = options.points();
    active = Math.min(active, Math.max(points.length - 1, 0));
    list.replaceChildren(
      ...points.map((point, place) =>
        element('div', {
          text: point.text,
          attributes: { role: 'option', id: `${prefix}${place}`, 'aria-selected': String(point.isPicked) },
        }),
      ),
    );
    if (points.length > 0) list.setAttribute('aria-activedescendant', `${prefix}${active}`);
    else list.removeAttribute('aria-activedescendant');
  };
  const moveTo = (place: number) => {
    const points = options.points();
    active = Math.min(Math.max(place, 0), points.length - 1);
    list.setAttribute('aria-activedescendant', `${prefix}${active}`);
    points[active]?.show();
  };
  list.addEventListener('keydown', (event) => {
    const last = options.points().length - 1;
    const moves: Readonly<Record<string, number>> = {
      ArrowRight: active + 1,
      ArrowDown: active + 1,
      ArrowLeft: active - 1,
      ArrowUp: active - 1,
      Home: 0,
      End: last,
    };
    const place = moves[event.key];
    if (place !== undefined) moveTo(place);
    else if (event.key === 'Enter' || event.key === ' ')
      options.points()[active]?.pick(event.ctrlKey || event.metaKey);
    else if (event.key === 'Escape') options.clear();
    else return;
    event.preventDefault();
  });
  list.addEventListener('focus', () => moveTo(active));
  list.addEventListener('blur', () => options.leave());
  return { update };
};
