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

const isExecutable = (file: string): boolean => {
  try {
    accessSync(file, constants.X_OK);
    return true;
  } catch {
    return false;
  }
};

/** A file of the right name may still be a stub that tells you to install something else. */
const starts = (file: string): boolean => {
  if (!isExecutable(file)) return false;
  try {
    execFileSync(file, ['--version'], { stdio: 'ignore', timeout: 20_000 });
    return true;
  } catch {
    return false;
  }
};

const onPath = (path: string): string[] =>
  path.split(delimiter).flatMap((folder) => names.map((name) => join(folder, name)));

/** Where to look; the machine's own environment unless a test says otherwise. */
export interface BrowserPlaces {
  readonly named?: string | undefined;
  readonly path?: string | undefined;
  readonly playwrightsOwn?: string | undefined;
}

/** Path of a Chromium on this machine: `CHROMIUM_PATH`, then PATH, then Playwright's own download. */
export const findBrowser = (places: BrowserPlaces = {}): string | undefined => {
  const {
    named = process.env['CHROMIUM_PATH'],
    path = process.env['PATH'] ?? '',
    playwrightsOwn = chromium.executablePath(),
  } = places;
  if (named !== undefined && named !== '') {
    if (starts(named)) return named;
    throw new Error(
      `CHROMIUM_PATH names "${named}", which does not start. Name a Chromium there, or unset it.`,
    );
  }
  return [...onPath(path), playwrightsOwn].find(starts);
};
