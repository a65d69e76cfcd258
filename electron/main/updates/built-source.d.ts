// Set by the bundler, from the environment of the build: see electron.vite.config.ts.
declare const __MEDIADESK_UPDATES__: import('./update-source.ts').UpdateSource | null;
