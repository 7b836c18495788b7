import react from '@vitejs/plugin-react';
import { defineConfig } from 'vite';

export default defineConfig(() => ({
  root: import.meta.dirname,
  cacheDir: '../../node_modules/.vite/apps/shop',
  plugins: [react()],
  build: { outDir: './dist', emptyOutDir: true },
}));
