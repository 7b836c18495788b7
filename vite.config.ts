import { join } from 'node:path';
import react from '@vitejs/plugin-react';
import type { PluginOption } from 'vite';
import { defineConfig } from 'vitest/config';
import { seed } from './test/support/seed.ts';
import { isLong } from './test/support/size.ts';

const root = import.meta.dirname;

export default defineConfig(async () => ({
  plugins: [react() as PluginOption],
  resolve: { conditions: ['@vitrine/source', 'module', 'browser', 'development|production'] },
  ssr: { resolve: { conditions: ['@vitrine/source', 'module', 'node', 'development|production'] } },
  test: {
    reporters: [isLong ? 'verbose' : 'default', join(root, 'scripts/closingLineReporter.ts')],
    testTimeout: isLong ? 10 * 3_600_000 : 60_000,
    hookTimeout: 60_000,
    env: {
      // One for all files of a run.
      VITRINE_SEED: String(seed),
      // Workers and the many processes that tests start from source come up in half the time.
      NODE_COMPILE_CACHE: join(root, 'node_modules/.cache/node-compile'),
    },
    // Test files wait for much of their time, for a process, a browser or a database: three of them keep two cores busy. A
    // long run measures, so it runs one after the other.
    maxWorkers: isLong ? 1 : 3,
    ...(process.env['VITEST'] !== undefined && {
      projects: (await import('./test/projects.ts')).testProjects,
    }),
  },
}));
