import type { RateLimit, SharedLimiter } from './rateLimitOptions.ts';

/** A limit in a few words, such as `120 per 60 s`. */
export const describeLimit = (limit: RateLimit | SharedLimiter | false): string => {
  if (limit === false) return 'none';
  return 'consume' in limit ? 'shared' : `${limit.points} per ${limit.durationSeconds} s`;
};
