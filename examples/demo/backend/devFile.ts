import { mkdirSync, readFileSync, renameSync, rmSync, writeFileSync } from 'node:fs';
import { dirname } from 'node:path';

/** Data of a running demo for other tools: Storybook's live story, the command line, tests. */
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
 * Writes the file, readable only by its owner (it contains secrets of the local portal), and returns a function that
 * removes it, unless another demo has written it since.
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
      // It is already removed.
    }
  };
};
