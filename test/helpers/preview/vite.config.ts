import { resolve } from 'node:path';
import react from '@vitejs/plugin-react';
import { defineConfig } from 'vite';

// npx vite --config test/helpers/preview/vite.config.ts, then open /test/helpers/preview/index.html
// biome-ignore lint/style/noDefaultExport: Vite wants it
export default defineConfig({
  root: resolve(import.meta.dirname, '../../..'),
  plugins: [react()],
  cacheDir: 'node_modules/.vite-preview',
  server: { port: 5199, strictPort: true },
});
