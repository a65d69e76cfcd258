// A drive that is really unmounted while its files are uploaded, and mounted again.
import { execFileSync } from 'node:child_process';
import { createHash } from 'node:crypto';
import { mkdirSync, mkdtempSync, readdirSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { describe, expect } from 'vitest';
import type { UploadRow } from '../../../../shared/contract/uploads.ts';
import { type Desk, deskTest } from '../../../helpers/engine/desk.ts';
import { effectsOf } from '../../../helpers/service/journal.ts';
import type { ServiceProcess } from '../../../helpers/service/service-process.ts';
import { mayMount, mountSmallDisk, type SmallDisk } from '../../../helpers/system/small-disk.ts';

const it = deskTest();

const FILES = 8;
const PARALLEL = 2;
const FILE_BYTES = 3_000_000;

it.override({ speed: 20, host: { parallelTransfers: PARALLEL } });

describe.runIf(mayMount())('a drive that is disconnected while its files are uploaded', () => {
  let service: ServiceProcess;
  let desk: Desk;
  let disks: SmallDisk[];
  /** The mount point that the user sees. */
  let drive: string;
  let base: string;
  let hashes: Map<string, string>;

  it.beforeEach(async ({ desk: itsDesk, service: itsService }) => {
    [desk, service] = [itsDesk, itsService];
    base = mkdtempSync(join(tmpdir(), 'mediadesk-drive-'));
    drive = join(base, 'drive');
    mkdirSync(drive);
    disks = [mountSmallDisk(64)];
    hashes = new Map();
    mkdirSync(join(disk().path, 'lectures'));
    for (let index = 0; index < FILES; index += 1) {
      const bytes = Buffer.alloc(FILE_BYTES, `${base} lecture ${index} `);
      writeFileSync(join(disk().path, 'lectures', `${index}.bin`), bytes);
      hashes.set(`${index}.bin`, createHash('sha256').update(bytes).digest('hex'));
    }
    plug();
    await desk.add([join(drive, 'lectures')]);
    // The destination reads half of the bytes and then pauses, so that the drive disconnects while files are open.
    await service.control('POST', '/faults', {
      method: 'POST',
      path: '^/upload/',
      times: null,
      action: { kind: 'delay', ms: 150 },
    });
  });
  it.afterEach(async () => {
    await desk.engine.stop();
    execFileSync('umount', ['--lazy', '--quiet', drive], { stdio: 'pipe' });
    for (const each of disks) each.remove();
    rmSync(base, { recursive: true, force: true });
  });

  const disk = () => disks.at(-1) as SmallDisk;
  const plug = () => execFileSync('mount', ['--bind', disk().path, drive], { stdio: 'pipe' });
  const rowsOf = async (state: UploadRow['state']) => (await desk.rows()).filter((row) => row.state === state);

  async function until(wanted: () => Promise<boolean>): Promise<void> {
    while (!(await wanted())) await new Promise((resolve) => setTimeout(resolve, 5));
  }

  async function expectWaitingForTheDrive(): Promise<void> {
    // Transfers with open files may still finish; all other uploads wait, with the reason.
    await until(async () => (await rowsOf('complete')).length + (await rowsOf('waiting')).length === FILES);
    const waiting = await rowsOf('waiting');
    expect(waiting.length).toBeGreaterThan(0);
    expect(new Set(waiting.map(({ error }) => error?.code))).toEqual(new Set(['file.drive-gone']));
    // They have no time of a next attempt: polls of the drive detect its return.
    expect(new Set(waiting.map(({ nextAttemptAt }) => nextAttemptAt))).toEqual(new Set([null]));
  }

  async function expectAllThereOnce(): Promise<void> {
    await desk.engine.whenUploadsIdle();
    const rows = await desk.rows();
    expect(rows.map(({ state, error }) => error?.code ?? state)).toEqual(rows.map(() => 'complete'));
    expect(rows.map(({ attempts }) => attempts)).toEqual(rows.map(() => 0));
    expect(rows).toHaveLength(FILES);
    for (const { fileId, fileName } of rows) {
      const stored = await service.control<{ sha256: string }>('GET', `/files/${fileId}/sha256`);
      expect(stored.sha256).toBe(hashes.get(fileName));
    }
    expect(new Set(rows.map(({ mediaId }) => mediaId)).size).toBe(FILES);
    const made = await effectsOf(service, 'media-created');
    expect(made).toHaveLength(FILES);
  }

  it('makes uploads wait with file.drive-gone, also while files are open, and they resume when it is back', async () => {
    desk.engine.startUploads();
    await until(async () => (await rowsOf('sending')).length === PARALLEL);
    execFileSync('umount', ['--lazy', drive], { stdio: 'pipe' });
    expect(readdirSync(drive)).toEqual([]);
    await expectWaitingForTheDrive();
    plug();
    await expectAllThereOnce();
  }, 600_000);

  it('makes uploads wait and resume also when it is disconnected while the engine restarts', async () => {
    desk.engine.startUploads();
    await until(async () => (await rowsOf('complete')).length >= 2);
    await desk.engine.stop();
    // No file on the drive is open, so the system can unmount it without “--lazy”.
    execFileSync('umount', [drive], { stdio: 'pipe' });
    await desk.reopen();
    desk.engine.startUploads();
    await expectWaitingForTheDrive();
    plug();
    await expectAllThereOnce();
  }, 600_000);

  it('has its files sent when it is connected again as another device', async () => {
    desk.engine.startUploads();
    await until(async () => (await rowsOf('sending')).length === PARALLEL);
    execFileSync('umount', ['--lazy', drive], { stdio: 'pipe' });
    await expectWaitingForTheDrive();
    const before = disk().path;
    disks.push(mountSmallDisk(64));
    // As on the same drive, files keep their times to the nanosecond; Node’s own copies round them.
    execFileSync('cp', ['-a', `${before}/.`, disk().path]);
    plug();
    await expectAllThereOnce();
  }, 600_000);
});
