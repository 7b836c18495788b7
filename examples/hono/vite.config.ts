import react from '@vitejs/plugin-react';
import { defineConfig } from 'vite';

export default defineConfig({
  plugins: [react()],
  // The browser sees one origin: the server handles everything below /api.
  server: { proxy: { '/api': `http://localhost:${process.env.PORT ?? 3000}` } },
});
