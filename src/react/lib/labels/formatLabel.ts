import type { EmbedError } from '../errors/embedError.ts';
import { maxForegroundDelayMs } from '../session/retryPolicy.ts';

/** Puts the facts of an error into a label. */
export const formatLabel = (text: string, { retryAfterMs = 0, origin = '' }: EmbedError): string =>
  text
    .replace('{seconds}', `${Math.ceil(Math.max(maxForegroundDelayMs, retryAfterMs) / 1000)}`)
    .replace('{origin}', origin);
