import react from '@vitejs/plugin-react';
import type { UserConfig } from 'vite';

/** For Storybook and the tests: the packages from source. */
export default {
  plugins: [react()],
  resolve: { conditions: ['@vitrine/source', 'module', 'browser', 'development|production'] },
  ssr: { resolve: { conditions: ['@vitrine/source', 'module', 'node', 'development|production'] } },
} satisfies UserConfig;
