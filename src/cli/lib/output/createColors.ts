import pico from 'picocolors';
import type { Io } from '../io.ts';

/** Color functions, possibly disabled. */
export type Colors = ReturnType<typeof pico.createColors>;

/** Colors for a stream: on a terminal that supports them, unless `NO_COLOR` is set. */
export const createColors = ({ env }: Pick<Io, 'env'>, stream: { readonly isTTY?: boolean }): Colors =>
  pico.createColors(stream.isTTY === true && (env['NO_COLOR'] ?? '') === '' && env['TERM'] !== 'dumb');
