import { afterEach, beforeEach, expect, vi } from 'vitest';

/** Console output fails a test unless the test expects it with its own spy. */
const methods = ['log', 'info', 'warn', 'error', 'debug'] as const;
let output: string[] = [];

beforeEach(() => {
  output = [];
  for (const method of methods)
    vi.spyOn(console, method).mockImplementation((...parts: unknown[]) => {
      output.push(`console.${method}: ${parts.map(String).join(' ')}`);
    });
});

afterEach(() => {
  vi.restoreAllMocks();
  expect(output, 'unexpected console output').toEqual([]);
});
