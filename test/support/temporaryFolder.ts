import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { onTestFinished } from 'vitest';

/** A folder for one test, removed afterward. */
export const temporaryFolder = (): string => {
  const folder = mkdtempSync(join(tmpdir(), 'vitrine-'));
  onTestFinished(() => rmSync(folder, { recursive: true, force: true }));
  return folder;
};
