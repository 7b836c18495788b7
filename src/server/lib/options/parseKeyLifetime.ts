import { maxKeyLifetimeMs, minKeyLifetimeMs } from '@vitrine/contract';
import ms from 'ms';
import { VitrineOptionsError } from './optionsError.ts';

/** Lifetime of a key when the host names none: within the 30 to 60 minutes that the interface advises (section 8). */
export const defaultKeyLifetimeMs = 45 * 60 * 1000;

const readDuration = (text: string): number | undefined => {
  try {
    // The type lists the texts that can be read; any other text gives undefined or throws, which is what we ask.
    return ms(text as ms.StringValue);
  } catch {
    // It throws for an empty text and for one of more than a hundred characters.
    return undefined;
  }
};

/** Reads `'45m'`, `'1 hour'` or milliseconds. One minute to 24 hours. */
export const parseKeyLifetime = (value: string | number | undefined): number => {
  if (value === undefined) return defaultKeyLifetimeMs;
  const parsed = typeof value === 'string' ? readDuration(value) : value;
  if (
    typeof parsed !== 'number' ||
    !Number.isSafeInteger(parsed) ||
    parsed < minKeyLifetimeMs ||
    parsed > maxKeyLifetimeMs
  )
    throw new VitrineOptionsError(
      'invalid_key_lifetime',
      `Option "keyLifetime" must be between one minute and 24 hours, as "45m" or in milliseconds; it is ${JSON.stringify(value)?.slice(0, 40)}.`,
    );
  return parsed;
};
