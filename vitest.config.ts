import { resolve } from 'node:path';
import { defineConfig } from 'vitest/config';
import { REPEAT, TEST_SEED } from './build/test-seed.ts';
import { SlowestFirst } from './test/slowest-first.ts';

// Child processes start from TypeScript; with their compiled modules kept, a start takes 0.1 s of CPU instead of 0.7 s.
export const compileCache = { NODE_COMPILE_CACHE: resolve(import.meta.dirname, 'node_modules/.cache/node-compile') };

// `npm test` prints it itself.
if (!process.env.MEDIADESK_NPM_TEST) console.log(`Seed of random tests: ${TEST_SEED}. Repeat: ${REPEAT}`);

// Tests about the file of a database, and about backups of it: with a database on a server there is none.
const aboutFiles = process.env.MEDIADESK_TEST_DATABASE === undefined ? [] : ['backup', 'verify', 'versions'];

export default defineConfig({
  test: {
    pool: 'forks',
    sequence: { sequencer: SlowestFirst },
    projects: [
      {
        test: {
          // Pure tests: no server, no socket, no child process. The guard fails a test that needs one.
          name: 'unit',
          include: ['test/unit/**/*.test.ts'],
          setupFiles: ['test/helpers/unit-test-guard.ts', 'test/property-seed.ts'],
          testTimeout: 120_000,
          isolate: false,
          maxWorkers: 2,
        },
      },
      {
        test: {
          // Long computations in simulated time.
          name: 'simulation',
          setupFiles: ['test/property-seed.ts'],
          include: ['test/integration/simulation/**/*.test.ts'],
          testTimeout: 600_000,
          isolate: false,
          maxWorkers: 8,
          sequence: { groupOrder: 1 },
        },
      },
      {
        test: {
          // Real servers, processes, files and databases: a single test may take seconds; none may hang for ever.
          name: 'integration',
          setupFiles: ['test/property-seed.ts'],
          include: ['test/integration/**/*.test.ts'],
          exclude: [
            'test/integration/simulation/**',
            ...aboutFiles.map((name) => `test/integration/service/operation/${name}.test.ts`),
          ],
          env: compileCache,
          globalSetup: [
            'test/tool-priority.ts',
            'test/memory-folder.ts',
            'test/bundle-programs.ts',
            'test/postgres-server.ts',
            'test/object-store.ts',
          ],
          testTimeout: 120_000,
          hookTimeout: 120_000,
          // A busy computer may take longer than the usual second.
          expect: { poll: { timeout: 60_000 } },
          // A worker keeps the modules that it has loaded: loading the engine takes half a second of CPU.
          isolate: false,
          // Most of the time tests wait for a timer, a socket or a process: eight at a time keep two processors busy.
          maxWorkers: 8,
          sequence: { groupOrder: 1 },
        },
      },
      {
        test: {
          // The sender's tests once more, without the threads that compute hashes.
          name: 'sender-inline',
          include: ['test/integration/engine/sender/**/*.test.ts'],
          exclude: ['**/bandwidth.test.ts', '**/lost-hashes.test.ts'],
          env: { ...compileCache, SENDER_HASHES: 'inline' },
          globalSetup: ['test/tool-priority.ts', 'test/memory-folder.ts', 'test/bundle-programs.ts'],
          testTimeout: 120_000,
          expect: { poll: { timeout: 60_000 } },
          isolate: false,
          maxWorkers: 8,
          sequence: { groupOrder: 1 },
        },
      },
    ],
  },
});
