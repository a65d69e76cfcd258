import { defineConfig } from 'vitest/config';
import { compileCache } from './vitest.config.ts';

// End-to-end tests share a screen and a keychain, so they run one after the other. Run inside build/desktop-session.ts.
export default defineConfig({
  test: {
    include: ['test/e2e/**/*.test.ts', 'test/integration/engine/account/keychain-system.test.ts'],
    // The desktop session has a real Secret Service: the keychain's own tests run against it.
    env: { ...compileCache, MEDIADESK_SECRET_SERVICE: '1' },
    testTimeout: 120_000,
    hookTimeout: 120_000,
    pool: 'forks',
    fileParallelism: false,
  },
});
