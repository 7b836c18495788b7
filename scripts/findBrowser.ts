import { execFileSync } from 'node:child_process';
import { accessSync, constants } from 'node:fs';
import { delimiter, join } from 'node:path';
import { chromium } from 'playwright';

/** Flags that keep a headless Chromium quiet and offline; the sandbox is off because containers run as root. */
export const chromiumFlags = [
  '--no-sandbox',
  '--disable-gpu',
  '--disable-quic',
  '--disable-background-networking',
  '--disable-component-update',
  '--disable-sync',
  '--no-first-run',
] as const;

const names = ['chromium', 'chromium-browser', 'google-chrome', 'google-chrome-stable'];
/** Chromium without windows: a page takes half the CPU time. Playwright's own choice for headless runs. */
const shellNames = ['chromium-headless-shell', 'chrome-headless-shell'];

const isExecutable = (file: string): boolean => {
  try {
    accessSync(file, constants.X_OK);
    return true;
  } catch {
    return false;
  }
};

/** Whether a file starts: it may be a stub that prints installation instructions. */
const starts = (file: string): boolean => {
  if (!isExecutable(file)) return false;
  try {
    execFileSync(file, ['--version'], { stdio: 'ignore', timeout: 20_000 });
    return true;
  } catch {
    return false;
  }
};

const onPath = (path: string, names: readonly string[]): string[] =>
  path.split(delimiter).flatMap((folder) => names.map((name) => join(folder, name)));

/** Where to look for a browser. Default: the environment of this machine; tests replace it. */
export interface BrowserPlaces {
  readonly named?: string | undefined;
  readonly path?: string | undefined;
  readonly playwrightsOwn?: string | undefined;
}

const withDefaults = ({
  named = process.env['CHROMIUM_PATH'],
  path = process.env['PATH'] ?? '',
  playwrightsOwn = chromium.executablePath(),
}: BrowserPlaces) => ({ named, path, playwrightsOwn });

/** Path of a Chromium on this machine: `CHROMIUM_PATH`, then PATH, then Playwright's own download. */
export const findBrowser = (places: BrowserPlaces = {}): string | undefined => {
  const { named, path, playwrightsOwn } = withDefaults(places);
  if (named !== undefined && named !== '') {
    if (starts(named)) return named;
    throw new Error(`CHROMIUM_PATH is "${named}", which does not start. Set it to a Chromium, or unset it.`);
  }
  return [...onPath(path, names), playwrightsOwn].find(starts);
};

/** Path of a headless shell on PATH, unless `CHROMIUM_PATH` names a browser. */
export const findHeadlessShell = (places: BrowserPlaces = {}): string | undefined => {
  const { named, path } = withDefaults(places);
  return named ? undefined : onPath(path, shellNames).find(starts);
};
