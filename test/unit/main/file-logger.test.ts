import { chmodSync, existsSync, readFileSync, statSync, writeFileSync } from 'node:fs';
import { mkdir, mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest';
import type { Clock } from '../../../electron/engine/ports/clock.ts';
import { createFileLogger, type FileLogger } from '../../../electron/main/ports/file-logger.ts';

let root: string;
let folder: string;
let due: (() => void)[];
let logger: FileLogger;

const clock: Clock = {
  now: () => Date.UTC(2026, 10, 21, 12),
  monotonic: () => 0,
  schedule(_delayMs, task) {
    due.push(task);
    return () => {
      due = due.filter((each) => each !== task);
    };
  },
};
const file = () => join(folder, 'mediadesk.log');
const lines = () => readFileSync(file(), 'utf8').trim().split('\n');

beforeEach(async () => {
  root = await mkdtemp(join(tmpdir(), 'mediadesk-log-'));
  folder = join(root, 'logs');
  due = [];
  logger = createFileLogger({ folder, clock, level: 'info' });
});
afterEach(() => rm(root, { recursive: true, force: true }));

describe('the log file', () => {
  it.skipIf(process.platform === 'win32')('becomes private again when other users could read it', async () => {
    await mkdir(folder);
    const previous = join(folder, 'mediadesk.previous.log');
    for (const path of [file(), previous]) {
      writeFileSync(path, '{}\n');
      chmodSync(path, 0o644);
    }
    logger.info('upload.sent');
    logger.flush();
    for (const path of [file(), previous]) expect(statSync(path).mode & 0o777).toBe(0o600);
  });

  it('holds one JSON object a line, readable only by this user', () => {
    logger.info('upload.sent', { uploadId: 'u1', bytes: 7 });
    logger.flush();
    expect(lines().map((line) => JSON.parse(line))).toEqual([
      { at: '2026-11-21T12:00:00.000Z', level: 'info', event: 'upload.sent', uploadId: 'u1', bytes: 7 },
    ]);
    expect(statSync(file()).mode & 0o777).toBe(0o600);
  });

  it('is written after a short delay, and immediately for warnings and errors', () => {
    logger.info('first');
    expect(existsSync(file())).toBe(false);
    expect(due).toHaveLength(1);
    logger.info('second');
    expect(due).toHaveLength(1);
    due[0]?.();
    expect(lines()).toHaveLength(2);
    logger.info('third');
    logger.error('fourth');
    expect(lines().map((line) => JSON.parse(line).event)).toEqual(['first', 'second', 'third', 'fourth']);
    expect(due).toEqual([]);
  });

  it('omits debug lines unless they are enabled', () => {
    logger.debug('detail');
    logger.flush();
    expect(existsSync(file())).toBe(false);
    const wordy = createFileLogger({ folder, clock, level: 'debug' });
    wordy.debug('detail');
    wordy.flush();
    expect(lines()).toHaveLength(1);
  });

  it('rotates when it is large, and keeps the previous file', async () => {
    await mkdir(folder);
    writeFileSync(file(), `${'x'.repeat(4 * 1024 * 1024)}\n`);
    logger.warn('new');
    expect(lines()).toHaveLength(1);
    expect(statSync(join(folder, 'mediadesk.previous.log')).size).toBe(4 * 1024 * 1024 + 1);
  });

  it('is reported on the console once, without an exception, when it can’t be written', () => {
    writeFileSync(folder, 'a file where the folder should be');
    const complaint = vi.spyOn(process.stderr, 'write').mockImplementation(() => true);
    try {
      logger.error('one');
      logger.error('two');
      expect(complaint).toHaveBeenCalledTimes(1);
      expect(complaint.mock.calls[0]?.[0]).toContain("The log can't be written");
    } finally {
      complaint.mockRestore();
    }
  });
});
