import { defineConfig } from 'vitest/config';

// Tests use real parts (servers, files, databases), so a single test may take seconds; none may hang for ever.
export default defineConfig({
  test: {
    include: ['test/unit/**/*.test.ts'],
    testTimeout: 30_000,
    hookTimeout: 30_000,
    pool: 'forks',
    // Many tests wait for a timer or a socket; two at a time keep a machine with two processors at work.
    maxWorkers: 2,
  },
});
