import pico from 'picocolors';
import type { Io } from '../io.ts';

/** Color functions, possibly disabled. */
export type Colors = ReturnType<typeof pico.createColors>;

/** Colors for stdout: on a terminal that supports them, unless `NO_COLOR` is set. */
export const createColors = ({ env, stdout }: Pick<Io, 'env' | 'stdout'>): Colors =>
  pico.createColors(stdout.isTTY === true && (env['NO_COLOR'] ?? '') === '' && env['TERM'] !== 'dumb');
