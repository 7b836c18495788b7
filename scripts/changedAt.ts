import { existsSync, statSync } from 'node:fs';

/** When a file was last changed, in milliseconds; 0 for a file that is not there. */
export const changedAt = (file: string): number => (existsSync(file) ? statSync(file).mtimeMs : 0);
