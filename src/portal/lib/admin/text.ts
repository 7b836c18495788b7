import { z } from 'zod';

/** A text a person reads: something in it besides spaces, trimmed at both ends. */
export const text = (maxLength: number) =>
  z.string().trim().min(1, 'must not be empty').max(maxLength, `must be at most ${maxLength} characters`);
