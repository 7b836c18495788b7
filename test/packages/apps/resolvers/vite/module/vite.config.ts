import { vitrine } from '@vitrine/vite';
import { defineConfig } from 'vite';

export default defineConfig({ plugins: [vitrine()] });
