import { launchChromium } from './chromium.ts';
import type { Engine, EngineName, ReaderSettings } from './engine.ts';
import { debianPackages, findFirefox, findWebKit } from './findEngines.ts';
import { launchFirefox } from './firefox.ts';
import { launchWebKit } from './webkit.ts';

const missing = (name: EngineName): Error =>
  new Error(`This machine has no ${name}. On Debian: apt install ${debianPackages[name]}`);

/** Starts an installed browser engine. */
export const launchEngine = (name: EngineName, settings?: ReaderSettings): Promise<Engine> => {
  switch (name) {
    case 'chromium':
      return launchChromium(settings);
    case 'firefox': {
      const path = findFirefox();
      return path === undefined ? Promise.reject(missing(name)) : launchFirefox(path, settings);
    }
    case 'webkit': {
      const paths = findWebKit();
      return paths === undefined ? Promise.reject(missing(name)) : launchWebKit(paths, settings);
    }
  }
};
