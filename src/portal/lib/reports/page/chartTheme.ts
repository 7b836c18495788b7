/** Colors of charts; the page's own come from the style sheet. */
export interface ChartTheme {
  readonly series: readonly string[];
  readonly ink: string;
  readonly soft: string;
  readonly line: string;
  readonly surface: string;
  readonly faint: string;
  readonly font: string;
}

const font = 'Inter, system-ui, -apple-system, "Segoe UI", Roboto, "Helvetica Neue", sans-serif';

const light: ChartTheme = {
  series: ['#2f5fd0', '#e08a2c', '#1f9d8b', '#8b5fc7', '#c8486b', '#6a7f2f', '#3a8fc4', '#9a6a4b'],
  ink: '#18212f',
  soft: '#5a6678',
  line: '#e3e7ee',
  surface: '#ffffff',
  faint: '#dfe5f2',
  font,
};

const dark: ChartTheme = {
  series: ['#7ea2f7', '#f0ac5f', '#4fc9b4', '#b695ec', '#ec7d9b', '#aebf63', '#6cbbe8', '#cf9d7c'],
  ink: '#e9edf4',
  soft: '#a2adbd',
  line: '#2c3441',
  surface: '#1a202a',
  faint: '#313b4e',
  font,
};

const query = () => window.matchMedia('(prefers-color-scheme: dark)');

/** The colors of the viewer's light or dark preference. */
export const chartTheme = (): ChartTheme => (query().matches ? dark : light);

/** Calls back when the preference changes. */
export const onThemeChange = (listener: () => void): void => query().addEventListener('change', listener);
