import { assets } from './assets.ts';

let isWarm = false;

/** Reads and compresses the browser files before the first page asks for them: a key was made, a page will follow. */
export const warmAssets = (): void => {
  if (isWarm) return;
  isWarm = true;
  setImmediate(() => assets().compress());
};
