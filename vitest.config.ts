import { defineConfig } from 'vitest/config';

export default defineConfig({
  test: {
    pool: 'forks',
    projects: [
      {
        test: {
          // Pure tests: no server, no socket, no child process. The guard fails a test that needs one.
          name: 'unit',
          include: ['test/unit/**/*.test.ts'],
          setupFiles: ['test/helpers/unit-test-guard.ts'],
          testTimeout: 10_000,
          isolate: false,
          maxWorkers: 2,
        },
      },
      {
        test: {
          // Real servers, processes, files and databases: a single test may take seconds; none may hang for ever.
          name: 'integration',
          include: ['test/integration/**/*.test.ts'],
          testTimeout: 30_000,
          hookTimeout: 30_000,
          // Many tests wait for a timer or a socket; two at a time keep a machine with two processors at work.
          maxWorkers: 2,
        },
      },
    ],
  },
});
