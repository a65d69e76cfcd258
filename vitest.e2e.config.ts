import { defineConfig } from 'vitest/config';
import { SlowestFirst } from './test/slowest-first.ts';
import { compileCache } from './vitest.config.ts';

export default defineConfig({
  test: {
    include: ['test/e2e/**/*.test.ts', 'test/integration/engine/account/keychain-system.test.ts'],
    globalSetup: [
      'test/memory-folder.ts',
      'test/bundle-programs.ts',
      'test/postgres-server.ts',
      'test/object-store.ts',
    ],
    // A desktop session for each file, with a real Secret Service: the keychain's own tests run against it.
    setupFiles: ['test/helpers/desktop/desktop-session-setup.ts'],
    env: { ...compileCache, MEDIADESK_SECRET_SERVICE: '1' },
    testTimeout: 300_000,
    hookTimeout: 300_000,
    // A limit for hangs: no test depends on the speed of the machine.
    expect: { poll: { timeout: 60_000 } },
    pool: 'forks',
    sequence: { sequencer: SlowestFirst },
    maxWorkers: 3,
  },
});
