import react from '@vitejs/plugin-react';
import { defineConfig } from 'vite';

export default defineConfig({
  plugins: [react()],
  // The browser sees one origin: requests below /api go to the server.
  server: { proxy: { '/api': `http://localhost:${process.env.PORT ?? 3000}` } },
});
