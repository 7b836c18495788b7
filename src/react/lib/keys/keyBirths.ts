import type { EmbedKey } from '@vitrine/contract';
import type { Environment } from '../life/environment.ts';
import { pulseOf } from '../life/pulse.ts';

/** When the request for a key left, on the pulse's clock; known only for keys that this page asked for itself. */
const births = new WeakMap<EmbedKey, number>();

/** Remembers when the request for a key left. */
export const recordBirth = (key: EmbedKey, bornAt: number): EmbedKey => {
  births.set(key, bornAt);
  return key;
};

/** When the request for a key left. A key that came with the page's HTML carries the server's time; its clock may be ahead. */
export const birthOf = (key: EmbedKey, cachedAtWall: number, environment: Environment): number =>
  births.get(key) ?? pulseOf(environment).now() - Math.max(0, environment.wallNow() - cachedAtWall);
