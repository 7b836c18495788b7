/** Colors of charts: those of the page, and one for each series. */
export interface ChartTheme {
  readonly series: readonly string[];
  readonly ink: string;
  readonly soft: string;
  readonly line: string;
  readonly surface: string;
  readonly faint: string;
  readonly font: string;
}

const light = ['#2f5fd0', '#e08a2c', '#1f9d8b', '#8b5fc7', '#c8486b', '#6a7f2f', '#3a8fc4', '#9a6a4b'];
const dark = ['#7ea2f7', '#f0ac5f', '#4fc9b4', '#b695ec', '#ec7d9b', '#aebf63', '#6cbbe8', '#cf9d7c'];

/** Whether the page is being printed: light, as wide as a sheet, with all rows. */
export const isPrinting = (): boolean => document.documentElement.classList.contains('printing');

const query = () => window.matchMedia('(prefers-color-scheme: dark)');

/** The colors of the viewer's light or dark preference, from the style sheet. */
export const chartTheme = (): ChartTheme => {
  const style = getComputedStyle(document.documentElement);
  const read = (name: string) => style.getPropertyValue(`--${name}`).trim();
  return {
    series: query().matches && !isPrinting() ? dark : light,
    ink: read('ink'),
    soft: read('soft'),
    line: read('line'),
    surface: read('surface'),
    faint: read('faint'),
    font: read('font'),
  };
};

/** Calls back when the preference changes. */
export const onThemeChange = (listener: () => void): void => query().addEventListener('change', listener);
