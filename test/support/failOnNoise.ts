import { afterEach, beforeEach, expect, vi } from 'vitest';

/** Any console output that a test did not announce by its own spy fails that test. */
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
