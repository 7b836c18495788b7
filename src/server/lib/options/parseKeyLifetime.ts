import { maxKeyLifetimeMs, minKeyLifetimeMs } from '@vitrine/contract';
import { shown } from './checkOptions.ts';
import { VitrineOptionsError } from './vitrineOptionsError.ts';

/** Default lifetime of a key: within the 30 to 60 minutes that the interface recommends (section 8). */
export const defaultKeyLifetimeMs = 45 * 60 * 1000;

const unitsMs: Readonly<Record<string, number>> = { ms: 1, s: 1000, m: 60_000, h: 3_600_000, d: 86_400_000 };

const readDuration = (text: string): number | undefined => {
  const [, amount, unit = ''] =
    /^(\d+(?:\.\d+)?) ?(ms|s|m|h|d|(?:second|minute|hour|day)s?)$/.exec(text) ?? [];
  const unitMs = unitsMs[unit === 'ms' ? unit : unit.charAt(0)];
  return unitMs === undefined ? undefined : Math.round(Number(amount) * unitMs);
};

/** Reads `'45m'`, `'1 hour'` (ms, s, m, h, d and their English words) or milliseconds. One minute to 24 hours. */
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
      `Option "keyLifetime" must be between one minute and 24 hours, such as "45m" or a number of milliseconds; it is ${shown(value)}.`,
    );
  return parsed;
};
