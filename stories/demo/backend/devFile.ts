import { mkdirSync, readFileSync, renameSync, rmSync, writeFileSync } from 'node:fs';
import { dirname } from 'node:path';

/** What a running demo tells the tools beside it: Storybook's live story, the command line, tests. */
export interface DevFile {
  readonly demoUrl: string;
  readonly portal: {
    readonly tenantUrl: string;
    readonly apiBaseUrl: string;
    readonly baseUrl: string;
    readonly tenantId: number;
    readonly tenancyName: string;
    readonly apiKey: string;
    readonly passPhrase: string;
  };
  readonly exampleRoleNames: readonly string[];
}

/**
 * Writes the file for its owner's eyes only (it holds secrets of the local portal) and returns what removes it.
 * The removal leaves alone a file that another demo has written since.
 */
export const writeDevFile = (file: string, content: DevFile): (() => void) => {
  const text = `${JSON.stringify(content, null, 2)}\n`;
  mkdirSync(dirname(file), { recursive: true, mode: 0o700 });
  const partial = `${file}.${process.pid}`;
  writeFileSync(partial, text, { mode: 0o600 });
  renameSync(partial, file);
  return () => {
    try {
      if (readFileSync(file, 'utf8') === text) rmSync(file);
    } catch {
      // Somebody removed it before us, which is what we wanted.
    }
  };
};
