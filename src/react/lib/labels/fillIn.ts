import type { EmbedError } from '../errors/embedError.ts';
import { urgentPauseMs } from '../life/retryDelay.ts';

/** Puts the facts of an error into what a person is told. */
export const fillIn = (sentence: string, { retryAfterMs = 0, origin = '' }: EmbedError): string =>
  sentence
    .replace('{seconds}', `${Math.ceil(Math.max(urgentPauseMs, retryAfterMs) / 1000)}`)
    .replace('{origin}', origin);
