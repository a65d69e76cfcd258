import { afterEach, describe, expect, test } from 'vitest';
import { type ServiceProcess, startService } from '../../helpers/service/service-process.ts';
import { failuresIn, holdings, runSuite } from './run-suite.ts';

// The whole suite takes about a quarter of a minute on an idle machine.
const LIMIT_MS = 240_000;

let service: ServiceProcess | undefined;
afterEach(() => service?.stop());

describe('the conformance suite', () => {
  for (const dialect of ['reference', 'lean', 'strict'] as const) {
    test(
      `finds no violation in the service in the ${dialect} dialect, and leaves nothing in it`,
      async () => {
        service = await startService({ dialect });
        const before = await holdings(service);

        const run = await runSuite(service, { args: ['--control-url', service.controlUrl, '--harmful'] });

        expect(failuresIn(run)).toEqual([]);
        expect(run.leftBehind).toEqual([]);
        expect(run.code).toBe(0);
        expect(run.cases.length).toBeGreaterThanOrEqual(980);
        expect(run.stdout.trimEnd().split('\n').at(-1)).toMatch(/^\d+ passed, 0 failed, \d+ skipped$/);
        expect(await holdings(service)).toEqual(before);
      },
      LIMIT_MS,
    );
  }

  test(
    'needs no control port: an address and two existing accounts are enough',
    async () => {
      service = await startService();
      const args = ['--second-email', 'viewer@library.example', `--second-password=${service.admin.password}`];
      const run = await runSuite(service, { args });
      expect(failuresIn(run)).toEqual([]);
      expect(run.code).toBe(0);
    },
    LIMIT_MS,
  );

  test(
    'removes what it created when it is interrupted',
    async () => {
      service = await startService();
      const before = await holdings(service);

      const run = await runSuite(service, {
        onStart(interrupt, output) {
          const timer = setInterval(() => {
            if (!output().includes('Resources: permission dependencies')) return;
            clearInterval(timer);
            interrupt();
          }, 20);
        },
      });

      expect(run.code).toBe(130);
      expect(run.leftBehind).toEqual([]);
      expect(await holdings(service)).toEqual(before);
    },
    LIMIT_MS,
  );
});
