import { z } from 'zod';

/** A text for display: trimmed and not empty. */
export const displayText = (maxLength: number) =>
  z.string().trim().min(1, 'must not be empty').max(maxLength, `must be at most ${maxLength} characters`);
