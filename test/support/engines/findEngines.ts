import { spawnSync } from 'node:child_process';
import { globSync } from 'node:fs';
import type { EngineName } from './engine.ts';

/** The Debian package of an engine. */
export const debianPackages: Readonly<Record<EngineName, string>> = {
  chromium: 'chromium',
  firefox: 'firefox-esr',
  webkit: 'webkit2gtk-driver xvfb',
};

const findProgram = (...names: readonly string[]): string | undefined =>
  /^\/.+$/m.exec(String(spawnSync('which', names).stdout))?.[0];

/** Path of a Firefox on this machine, if installed. */
export const findFirefox = (): string | undefined => findProgram('firefox-esr', 'firefox');

/** Paths of WebKitGTK's driver, its browser and a display, if all three are installed. */
export const findWebKit = () => {
  const driver = findProgram('WebKitWebDriver');
  const display = findProgram('Xvfb');
  const browser = globSync('/usr/{lib,lib/*,libexec}/webkit2gtk-4.*/MiniBrowser').sort().at(-1);
  return driver && display && browser ? { driver, display, browser } : undefined;
};

export type WebKitPaths = NonNullable<ReturnType<typeof findWebKit>>;

/** The engines that this machine lacks, except Chromium: without it nothing is tested at all. */
export const findMissingEngines = (): EngineName[] => [
  ...(findFirefox() ? [] : (['firefox'] as const)),
  ...(findWebKit() ? [] : (['webkit'] as const)),
];
