import { afterEach, beforeEach, expect, vi } from 'vitest';

/** Console output fails a test unless the test expects it with its own spy. */
const methods = ['log', 'info', 'warn', 'error', 'debug'] as const;
let noise: string[] = [];

beforeEach(() => {
  noise = [];
  for (const method of methods)
    vi.spyOn(console, method).mockImplementation((...parts: unknown[]) => {
      noise.push(`console.${method}: ${parts.map(String).join(' ')}`);
    });
});

afterEach(() => {
  vi.restoreAllMocks();
  expect(noise, 'unexpected console output').toEqual([]);
});
