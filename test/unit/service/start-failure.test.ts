// A start that fails tells its operator what to do, where the cause is known.
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { DatabaseSync } from 'node:sqlite';
import { expect, onTestFinished, test } from 'vitest';
import { startFailureText } from '../../../service/site/start-failure.ts';

test('a library that another process has is named as such', () => {
  const folder = mkdtempSync(join(tmpdir(), 'start-failure-'));
  const file = join(folder, 'library.sqlite');
  const holder = new DatabaseSync(file);
  const second = new DatabaseSync(file, { timeout: 0 });
  onTestFinished(() => {
    second.close();
    holder.close();
    rmSync(folder, { recursive: true, force: true });
  });
  holder.exec('BEGIN EXCLUSIVE');
  let failure: unknown;
  try {
    second.exec('BEGIN IMMEDIATE');
  } catch (error) {
    failure = error;
  }
  expect(startFailureText(failure)).toBe(
    'database is locked. Another process has this library: a running service, or a backup. Wait for it, or stop it.',
  );
});

test('other failures keep their own words', () => {
  expect(startFailureText(new Error('no room'))).toBe('no room');
  const refused = Object.assign(new Error('listen EACCES: permission denied 0.0.0.0:80'), {
    code: 'EACCES',
    syscall: 'listen',
  });
  expect(startFailureText(refused)).toBe('listen EACCES: permission denied 0.0.0.0:80');
});
