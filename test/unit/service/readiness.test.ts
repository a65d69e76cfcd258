import { expect, test } from 'vitest';
import { type Check, createReadiness } from '../../../service/operate/readiness.ts';

function readiness(checks: Record<string, Check>, { limitMs = 10_000, draining = (): boolean => false } = {}) {
  let at = 0;
  const created = createReadiness({ checks, isDraining: draining, limitMs, cacheMs: 1000, now: () => at });
  const pass = (ms: number) => {
    at += ms;
  };
  return { report: created.report, pass };
}

test('the service is ready only when every check passes, and the report has the figures of each', async () => {
  const { report } = readiness({ database: () => ({ ok: true, ms: 1 }), space: async () => ({ ok: false, free: 3 }) });
  expect(await report()).toEqual({
    status: 'not-ready',
    checks: { running: { ok: true }, database: { ok: true, ms: 1 }, space: { ok: false, free: 3 } },
  });
});

test('a check that throws has failed with the code of the error, without its message', async () => {
  const failing = () => Promise.reject(Object.assign(new Error('ENOENT: /secret/path'), { code: 'ENOENT' }));
  const { report } = readiness({ storage: failing });
  expect((await report()).checks.storage).toEqual({ ok: false, reason: 'ENOENT' });
});

test('a report is given again for a second, and then made again', async () => {
  let runs = 0;
  const { report, pass } = readiness({ counted: () => ({ ok: ++runs > 0 }) });
  await report();
  pass(1000);
  await report();
  expect(runs).toBe(1);
  pass(1);
  await report();
  expect(runs).toBe(2);
});

test('many questions at the same time run each check once', async () => {
  let runs = 0;
  const { report } = readiness({ counted: async () => ({ ok: ++runs > 0 }) });
  await Promise.all(Array.from({ length: 50 }, report));
  expect(runs).toBe(1);
});

test('a check that hangs fails within its limit, and is not started again while it hangs', async () => {
  let runs = 0;
  let answer = (_result: { ok: boolean }) => {};
  const hanging = () => {
    runs += 1;
    return new Promise<{ ok: boolean }>((resolve) => {
      answer = resolve;
    });
  };
  const { report, pass } = readiness({ storage: hanging }, { limitMs: 20 });
  for (let round = 0; round < 20; round += 1) {
    const { status, checks } = await report();
    expect(status).toBe('not-ready');
    expect(checks.storage?.ok).toBe(false);
    pass(1001);
  }
  expect(runs).toBe(1);
  answer({ ok: true });
  await new Promise(setImmediate);
  const again = report();
  answer({ ok: true });
  expect((await again).status).toBe('ready');
  expect(runs).toBe(2);
});

test('a service that is about to stop is not ready at once, even when a report is still valid', async () => {
  let isDraining = false;
  const { report } = readiness({ database: () => ({ ok: true }) }, { draining: () => isDraining });
  expect((await report()).status).toBe('ready');
  isDraining = true;
  expect(await report()).toEqual({ status: 'not-ready', checks: { running: { ok: false }, database: { ok: true } } });
});
