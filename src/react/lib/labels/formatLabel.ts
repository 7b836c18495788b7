import type { EmbedError } from '../errors/embedError.ts';
import { maxForegroundDelayMs } from '../session/retryDelayMs.ts';

/** Fills the placeholders of a label from an error. */
export const formatLabel = (text: string, { retryAfterMs = 0, origin = '' }: EmbedError): string =>
  text
    .replace('{seconds}', `${Math.ceil(Math.max(maxForegroundDelayMs, retryAfterMs) / 1000)}`)
    .replace('{origin}', origin);
