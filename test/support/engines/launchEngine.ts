import { launchChromium } from './chromium.ts';
import type { Engine, EngineName, ReaderSettings } from './engine.ts';
import { findFirefox, findWebKit } from './findEngines.ts';
import { launchFirefox } from './firefox.ts';
import { launchWebKit } from './webkit.ts';

/** Starts an installed browser engine. */
export const launchEngine = async (name: EngineName, settings?: ReaderSettings): Promise<Engine> => {
  const [firefox, webkit] = [findFirefox(), findWebKit()];
  if (name === 'firefox' && firefox) return launchFirefox(firefox, settings);
  if (name === 'webkit' && webkit) return launchWebKit(webkit, settings);
  if (name === 'chromium') return launchChromium(settings);
  throw new Error(`This machine has no ${name}.`);
};
