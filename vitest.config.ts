import { defineConfig } from 'vitest/config';

// Tests use real parts (servers, files, databases), so a single test may take seconds; none may hang for ever.
export default defineConfig({
  test: {
    include: ['test/unit/**/*.test.ts'],
    testTimeout: 30_000,
    hookTimeout: 30_000,
    pool: 'forks',
  },
});
