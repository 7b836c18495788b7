import { defineConfig } from 'vite';

// The same files work under any path.
export default defineConfig({ base: './', build: { modulePreload: false } });
