import { defineConfig } from 'vite';

// The same files work below any path.
export default defineConfig({ base: './', build: { modulePreload: false } });
