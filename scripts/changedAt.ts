import { existsSync, statSync } from 'node:fs';

/** When a file was last modified, in milliseconds; 0 for a missing file. */
export const changedAt = (file: string): number => (existsSync(file) ? statSync(file).mtimeMs : 0);
