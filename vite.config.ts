import react from '@vitejs/plugin-react';
import type { PluginOption } from 'vite';
import { defineConfig } from 'vitest/config';
import { fromRoot } from './scripts/vite/fromRoot.ts';
import { packageBuilds } from './scripts/vite/packageBuilds.ts';
import { seed } from './test/support/seed.ts';
import { isLong } from './test/support/size.ts';

const isBuild = process.argv.includes('--app');
// What is published must not depend on who calls the build: under NODE_ENV=test JSX would be compiled for debugging.
if (isBuild) process.env['NODE_ENV'] = 'production';

const sourceConditions = ['@vitrine/source', 'module', 'browser', 'development|production'];

export default defineConfig(async () => ({
  ...(isBuild
    ? packageBuilds
    : {
        plugins: [react() as PluginOption],
        resolve: { conditions: sourceConditions },
        ssr: { resolve: { conditions: ['@vitrine/source', 'module', 'node', 'development|production'] } },
      }),
  test: {
    reporters: [isLong ? 'verbose' : 'default', fromRoot('scripts/closingLineReporter.ts')],
    testTimeout: isLong ? 10 * 3_600_000 : 60_000,
    hookTimeout: 60_000,
    env: {
      // One for all files of a run.
      VITRINE_SEED: String(seed),
      // Workers and the many processes that tests start from source come up in half the time.
      NODE_COMPILE_CACHE: fromRoot('node_modules/.cache/node-compile'),
    },
    // Test files wait for much of their time, for a process, a browser or a database: three of them keep two cores busy.
    maxWorkers: 3,
    ...(process.env['VITEST'] !== undefined && {
      projects: (await import('./scripts/vite/testProjects.ts')).testProjects,
    }),
  },
}));
