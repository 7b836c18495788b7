import pico from 'picocolors';
import type { Io } from '../io.ts';

/** Colours, or none of them. */
export type Colors = ReturnType<typeof pico.createColors>;

/** Colours for a stream: where somebody sees them, and neither `NO_COLOR` nor the kind of terminal says no. */
export const createColors = ({ env }: Pick<Io, 'env'>, stream: { readonly isTTY?: boolean }): Colors =>
  pico.createColors(stream.isTTY === true && (env['NO_COLOR'] ?? '') === '' && env['TERM'] !== 'dumb');

/** No colours. */
export const noColors: Colors = pico.createColors(false);
