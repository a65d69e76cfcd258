import { resolve } from 'node:path';
import react from '@vitejs/plugin-react';
import { defineConfig } from 'electron-vite';
import { loadBuiltinsDirectly } from './build/packages/builtin-imports.ts';
import { recordPackages } from './build/packages/bundled-packages.ts';
import { builtUpdateSource } from './build/packages/update-source.ts';

const at = (path: string) => resolve(import.meta.dirname, path);

// Native modules stay outside the bundles because their prebuilt binaries are found relative to their own folders.
const native = ['keytar', '@photostructure/sqlite', 'sharp'];

// The command line shares nearly all of its code with the main process, so both come out of one build.
// The thread that parses tags, the processes for the keychain and for pictures, and the library service are started by their paths.
const entries = {
  main: at('electron/main/main.ts'),
  mediadesk: at('electron/cli/mediadesk.ts'),
  'media-tags': at('electron/engine/media-tags/thread-main.ts'),
  keytar: at('electron/engine/ports/system/keytar-main.ts'),
  serve: at('service/serve.ts'),
  'picture-worker': at('service/processing/tools/picture-worker.ts'),
};
const FOLDERS: Readonly<Record<string, string>> = {
  main: 'main',
  'media-tags': 'threads',
  keytar: 'threads',
  serve: 'service',
  'picture-worker': 'threads',
};
// The command line and the library service are shipped in a folder of their own, which build/packages/cli-folder.ts bundles.
const IN_THE_APP = ['main', 'media-tags', 'keytar'];

// The targets are those of the oldest runtime that the app is tested on (Electron 33: Node 20, Chromium 130), so that
// one build serves it and the Electron that ships.
export default defineConfig({
  main: {
    plugins: [recordPackages(import.meta.dirname, { prefix: 'main-', shipped: IN_THE_APP }), loadBuiltinsDirectly()],
    define: { __MEDIADESK_UPDATES__: JSON.stringify(builtUpdateSource(process.env)) },
    build: {
      target: 'node20',
      outDir: at('out'),
      externalizeDeps: false,
      minify: false,
      rolldownOptions: {
        input: entries,
        external: native,
        output: {
          format: 'es',
          entryFileNames: (chunk) => `${FOLDERS[chunk.name] ?? 'cli'}/[name].js`,
          chunkFileNames: 'chunks/[name]-[hash].js',
        },
      },
    },
  },
  preload: {
    plugins: [recordPackages(import.meta.dirname)],
    build: {
      target: 'node20',
      outDir: at('out/preload'),
      externalizeDeps: false,
      // A sandboxed preload is loaded as CommonJS, in one file.
      rolldownOptions: {
        input: at('electron/preload/preload.ts'),
        output: { format: 'cjs', entryFileNames: '[name].cjs' },
      },
    },
  },
  renderer: {
    root: at('renderer'),
    plugins: [react(), recordPackages(import.meta.dirname)],
    build: {
      target: 'chrome130',
      minify: true,
      outDir: at('out/renderer'),
      // Everything is local: inlining would need `data:` in the content security policy.
      assetsInlineLimit: 0,
      modulePreload: { polyfill: false },
      // Read from the disk, once: its size is no reason to cut it up.
      chunkSizeWarningLimit: 2000,
      rolldownOptions: {
        input: { index: at('renderer/index.html'), 'waveform-worker': at('renderer/kit/waveform/worker.ts') },
        // The page starts the worker by this path, which its policy names.
        output: { entryFileNames: (chunk) => `assets/[name]${chunk.name === 'index' ? '-[hash]' : ''}.js` },
      },
    },
  },
});
