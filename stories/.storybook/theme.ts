import { GLOBALS_UPDATED, SET_GLOBALS } from 'storybook/internal/core-events';
import { addons } from 'storybook/preview-api';

export type Theme = 'light' | 'dark';

export const toTheme = (value: unknown): Theme => (value === 'dark' ? 'dark' : 'light');

/** The system's preference: the theme until the toolbar sets one. */
export const preferredTheme = (): Theme =>
  toTheme(matchMedia('(prefers-color-scheme: dark)').matches && 'dark');

let theme = preferredTheme();
const listeners = new Set<() => void>();

const apply = (globals: Record<string, unknown>) => {
  theme = toTheme(globals['theme']);
  document.documentElement.dataset['theme'] = theme;
  for (const listener of listeners) listener();
};

const channel = addons.getChannel();
for (const type of [SET_GLOBALS, GLOBALS_UPDATED])
  channel.on(type, ({ globals }: { globals: Record<string, unknown> }) => apply(globals));

/** The theme of the toolbar, for `useSyncExternalStore`. */
export const themeStore = {
  subscribe: (listener: () => void): (() => void) => {
    listeners.add(listener);
    return () => listeners.delete(listener);
  },
  getSnapshot: (): Theme => theme,
};
