import { mkdirSync, mkdtempSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { createFaultReports } from '../../../../electron/main/faults/fault-reports.ts';
import { createFaults } from '../../../../electron/main/faults/faults.ts';
import { createPageRecovery } from '../../../../electron/main/faults/page-recovery.ts';

let folder: string;
beforeEach(() => {
  folder = mkdtempSync(join(tmpdir(), 'mediadesk-faults-'));
});
afterEach(() => rmSync(folder, { recursive: true, force: true }));

const failures: unknown[] = [];
const reports = () =>
  createFaultReports({
    folder: join(folder, 'faults'),
    dumps: join(folder, 'dumps'),
    logFile: join(folder, 'log'),
    facts: { version: '1', electron: '45', node: '24', system: 'linux' },
    onFailed: (error) => failures.push(error),
  });

describe('reports about faults', () => {
  it('contain the error, its causes and the end of the log', () => {
    writeFileSync(join(folder, 'log'), `${'old line\n'.repeat(10_000)}the last line\n`);
    reports().write('uncaught exception', new Error('outer', { cause: new Error('inner') }), 0);
    const [name = ''] = readdirSync(join(folder, 'faults'));
    const text = readFileSync(join(folder, 'faults', name), 'utf8');
    expect(text).toContain('Error: outer');
    expect(text).toContain('Caused by: Error: inner');
    expect(text).toContain('the last line');
    expect(text.length).toBeLessThan(50_000);
    expect(failures).toEqual([]);
  });

  it('are listed until the user dismisses them, and only the newest stay', () => {
    const kept = reports();
    for (let day = 0; day < 20; day += 1) kept.write('fault', 'x', day * 86_400_000);
    expect(kept.unread()).toHaveLength(5);
    expect(kept.unread()[0]?.details?.path).toContain('1970-01-20');
    kept.markRead();
    expect(kept.unread()).toEqual([]);
    kept.write('fault', 'x', 30 * 86_400_000);
    expect(kept.unread()).toHaveLength(1);
    expect(readdirSync(join(folder, 'faults'))).toHaveLength(5);
  });
});

describe('a dump of Chromium', () => {
  const dump = (name: string) => {
    mkdirSync(join(folder, 'dumps', 'pending'), { recursive: true });
    writeFileSync(join(folder, 'dumps', 'pending', `${name}.dmp`), name);
  };
  const codes = (run: ReturnType<typeof reports>) => run.unread().map(({ code }) => code);
  const start = () => {
    const run = reports();
    run.beginRun();
    return run;
  };

  it('of a process that Mediadesk no longer needed is no news: not in that run, and not in the next', () => {
    const run = start();
    dump('a sign-in page that was closed');
    expect(codes(run)).toEqual([]);
    run.endRun();
    expect(codes(start())).toEqual([]);
    expect(readdirSync(join(folder, 'dumps', 'pending'))).toEqual(['a sign-in page that was closed.dmp.read']);
    expect(failures).toEqual([]);
  });

  it('is news after a run that did not end in order, until the user dismisses it', () => {
    start();
    dump('the program');
    const next = start();
    expect(codes(next)).toEqual(['app.crashed']);
    next.endRun();
    const later = start();
    expect(codes(later)).toEqual(['app.crashed']);
    later.markRead();
    expect(codes(later)).toEqual([]);
    dump('another sign-in page');
    later.endRun();
    expect(codes(start())).toEqual([]);
  });

  it('is news when the page of the window crashed', () => {
    const run = start();
    dump('the page');
    run.noteCrash();
    expect(codes(run)).toEqual(['app.crashed']);
    run.endRun();
    expect(codes(start())).toEqual(['app.crashed']);
  });
});

describe('faults of the main process', () => {
  it('are reported one by one; three in a minute restart the program once', () => {
    let now = 0;
    const seen: string[] = [];
    const handle = createFaults({
      reports: { write: (kind) => seen.push(kind) },
      now: () => now,
      notify: () => seen.push('notified'),
      restart: () => seen.push('restart'),
    });
    for (const at of [0, 50_000, 70_000, 100_000, 101_000]) {
      now = at;
      handle('fault', new Error());
    }
    expect(seen.filter((each) => each !== 'fault')).toEqual(['notified', 'notified', 'notified', 'restart']);
    expect(seen.filter((each) => each === 'fault')).toHaveLength(5);
  });
});

describe('a page that crashes', () => {
  it('is loaded again three times in a minute, then the user decides', async () => {
    let reloads = 0;
    let asked = 0;
    const answers: ((isWanted: boolean) => void)[] = [];
    const crashed = createPageRecovery({
      now: () => 0,
      reload: () => {
        reloads += 1;
      },
      ask: () => {
        asked += 1;
        return new Promise((resolve) => answers.push(resolve));
      },
      onFailed: (error) => {
        throw error;
      },
    });
    for (let crash = 0; crash < 5; crash += 1) crashed();
    expect([reloads, asked]).toEqual([3, 1]);
    answers[0]?.(true);
    await expect.poll(() => reloads).toBe(4);
    crashed();
    expect([reloads, asked]).toEqual([5, 1]);
  });
});
