import { useEffect, useState } from 'react';

export const themes = ['system', 'light', 'dark'] as const;
export type Theme = (typeof themes)[number];

const storageKey = 'demo-theme';
const isTheme = (value: unknown): value is Theme => themes.some((theme) => theme === value);

const remembered = (): Theme => {
  const value = window.localStorage.getItem(storageKey);
  return isTheme(value) ? value : 'system';
};

/** Light, dark or the system's theme; stored in this browser. */
export const useTheme = () => {
  const [theme, setTheme] = useState<Theme>(remembered);
  useEffect(() => {
    window.localStorage.setItem(storageKey, theme);
    document.documentElement.style.colorScheme = theme === 'system' ? 'light dark' : theme;
  }, [theme]);
  return [theme, setTheme] as const;
};
