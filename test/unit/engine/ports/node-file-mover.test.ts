import { createHash } from 'node:crypto';
import {
  mkdirSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  rmSync,
  statSync,
  symlinkSync,
  utimesSync,
  writeFileSync,
} from 'node:fs';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import type { Files, OpenFile } from '../../../../electron/engine/ports/files.ts';
import { pathOfBytes } from '../../../../electron/engine/ports/system/byte-paths.ts';
import { FILE_TIMEOUT_MS, withTimeouts } from '../../../../electron/engine/ports/system/files-with-timeouts.ts';
import { createFileMover } from '../../../../electron/engine/ports/system/node-file-mover.ts';
import { nodeFiles } from '../../../../electron/engine/ports/system/node-files.ts';
import { trashFile } from '../../../../electron/engine/ports/system/trash-freedesktop.ts';
import { hasAnotherDisk, makeFolderOnAnotherDisk } from '../../../helpers/system/another-disk.ts';
import { ManualClock } from '../../../helpers/time/manual-clock.ts';

let dir: string;
beforeEach(() => {
  dir = mkdtempSync(join(tmpdir(), 'mediadesk-mover-'));
});
afterEach(() => rmSync(dir, { recursive: true, force: true }));

const mover = createFileMover(null);
const { signal } = new AbortController();
const put = (name: string, text: string) => {
  writeFileSync(join(dir, name), text);
  return join(dir, name);
};
const read = (path: string) => readFileSync(path, 'utf8');

describe('moving a file', () => {
  it('renames it and leaves no other file', async () => {
    const from = put('a', 'contents');
    expect(await mover.rename(from, join(dir, 'b'))).toBe('done');
    expect(readdirSync(dir)).toEqual(['b']);
    expect(read(join(dir, 'b'))).toBe('contents');
  });

  it('never replaces an existing file, even an empty one', async () => {
    const from = put('a', 'mine');
    const to = put('b', 'yours');
    const empty = put('c', '');
    expect(await mover.rename(from, to)).toBe('taken');
    expect(await mover.rename(from, to, { replacesEmpty: true })).toBe('taken');
    expect(await mover.rename(from, empty)).toBe('taken');
    expect([read(from), read(to), read(empty)]).toEqual(['mine', 'yours', '']);
    expect(await mover.rename(from, empty, { replacesEmpty: true })).toBe('done');
    expect(read(empty)).toBe('mine');
  });

  it('leaves no empty file in the target when the move fails', async () => {
    await expect(mover.rename(join(dir, 'gone'), join(dir, 'b'))).rejects.toMatchObject({ code: 'file.missing' });
    expect(readdirSync(dir)).toEqual([]);
  });

  it('reports a target folder that does not exist or is a file, and refuses to move a link', async () => {
    const from = put('a', 'mine');
    await expect(mover.rename(from, join(dir, 'no', 'b'))).rejects.toMatchObject({ code: 'source.folder-missing' });
    await expect(mover.rename(from, join(from, 'b'))).rejects.toMatchObject({ code: 'source.folder-missing' });
    symlinkSync(from, join(dir, 'link'));
    await expect(mover.rename(join(dir, 'link'), join(dir, 'b'))).rejects.toMatchObject({ code: 'source.is-link' });
    expect(read(from)).toBe('mine');
  });

  it.runIf(hasAnotherDisk)(
    'to another disk reports that a rename is impossible; a copy has the modification time of the file',
    async () => {
      const other = makeFolderOnAnotherDisk('mover');
      try {
        const from = put('a', 'x'.repeat(3_000_000));
        utimesSync(from, 1_700_000_000, 1_700_000_000);
        expect(await mover.rename(from, join(other, 'a'))).toBe('other-disk');
        expect(readdirSync(other)).toEqual([]);
        await mover.copy(from, join(other, 'a'), signal);
        expect(read(join(other, 'a'))).toBe(read(from));
        expect(statSync(join(other, 'a')).mtimeMs).toBe(1_700_000_000_000);
        expect(await mover.hash(join(other, 'a'), signal)).toBe(
          createHash('sha256').update('x'.repeat(3_000_000)).digest('hex'),
        );
      } finally {
        rmSync(other, { recursive: true });
      }
    },
  );

  it('to the trash fails, and the file stays, when there is no trash', async () => {
    const from = put('a', 'mine');
    await expect(mover.trash(from)).rejects.toMatchObject({ code: 'trash.unavailable' });
    expect(read(from)).toBe('mine');
  });
});

describe('the trash of a Linux desktop', () => {
  const options = () => ({ env: {}, homeDir: dir, uid: 1000, now: () => new Date(2026, 10, 21, 9, 5, 7) });

  it('stores files under unique names, with their original paths', async () => {
    mkdirSync(join(dir, 'in'));
    for (const text of ['first', 'second']) {
      writeFileSync(join(dir, 'in', 'take 1 ü.mp4'), text);
      await trashFile(join(dir, 'in', 'take 1 ü.mp4'), undefined, options());
    }
    const trash = join(dir, '.local/share/Trash');
    expect(readdirSync(join(trash, 'files')).sort()).toEqual(['take 1 ü.mp4', 'take 1 ü.mp4.2']);
    expect(read(join(trash, 'files/take 1 ü.mp4'))).toBe('first');
    expect(read(join(trash, 'info/take 1 ü.mp4.2.trashinfo'))).toBe(
      `[Trash Info]\nPath=${dir}/in/take%201%20%C3%BC.mp4\nDeletionDate=2026-11-21T09:05:07\n`,
    );
    expect(readdirSync(join(dir, 'in'))).toEqual([]);
  });

  it('accepts a file whose name is not UTF-8, and records the name as bytes', async () => {
    const bytes = Buffer.concat([Buffer.from(`${dir}/caf`), Buffer.of(0xe9), Buffer.from('.mp4')]);
    writeFileSync(bytes, 'x');
    await trashFile(pathOfBytes(bytes), undefined, options());
    const trash = join(dir, '.local/share/Trash');
    expect(readdirSync(join(trash, 'files'))).toHaveLength(1);
    const [info = ''] = readdirSync(join(trash, 'info'));
    expect(read(join(trash, 'info', info))).toContain(`Path=${dir}/caf%E9.mp4\n`);
    expect(readdirSync(dir)).toEqual(['.local']);
  });

  it.runIf(hasAnotherDisk)('is on another disk for a file of that disk, which is moved without a copy', async () => {
    const other = makeFolderOnAnotherDisk('trash');
    const trash = join(dirname(other), `.Trash-${process.pid}`);
    try {
      const path = join(other, 'a.mp4');
      writeFileSync(path, 'x');
      const { ino, dev } = statSync(path);
      await trashFile(path, undefined, { ...options(), uid: process.pid });
      expect(statSync(join(trash, 'files/a.mp4'))).toMatchObject({ ino, dev });
      expect(readdirSync(join(dir, '.local/share/Trash/files'))).toEqual([]);
    } finally {
      rmSync(trash, { recursive: true, force: true });
      rmSync(other, { recursive: true });
    }
  });

  it('leaves a file that a link reaches since the check, and names the link', async () => {
    for (const folder of ['chosen/sub', 'private']) mkdirSync(join(dir, folder), { recursive: true });
    put('chosen/sub/a.txt', 'mine');
    const foreign = put('private/a.txt', 'private');
    const late = createFileMover(async (path, root) => {
      rmSync(join(dir, 'chosen/sub'), { recursive: true });
      symlinkSync(join(dir, 'private'), join(dir, 'chosen/sub'));
      await trashFile(path, root, options());
    });
    const trashing = late.within(join(dir, 'chosen')).trash(join(dir, 'chosen/sub/a.txt'));
    await expect(trashing).rejects.toMatchObject({ code: 'file.is-link' });
    expect(read(foreign)).toBe('private');
    expect(readdirSync(join(dir, '.local/share/Trash/info'))).toEqual([]);
  });

  it('leaves no info file for a missing file', async () => {
    await expect(trashFile(join(dir, 'gone.mp4'), undefined, options())).rejects.toThrow();
    expect(readdirSync(join(dir, '.local/share/Trash/info'))).toEqual([]);
  });
});

describe('a disk that does not answer', () => {
  const opened: OpenFile[] = [];
  afterEach(async () => {
    for (const file of opened.splice(0)) await file.close();
  });

  /** Returns the real files, whose reads never end. */
  function hungReads() {
    const asked = Promise.withResolvers<void>();
    const files: Files = {
      ...nodeFiles,
      async open(path) {
        const file = await nodeFiles.open(path);
        opened.push(file);
        const hang = () => {
          asked.resolve();
          return new Promise<number>(() => {});
        };
        // As with a real file, closing waits for the reads in flight.
        return { ...file, read: hang, close: () => new Promise(() => {}) };
      },
    };
    return { files, whenAsked: asked.promise };
  }

  it.each(['hash', 'copy'] as const)('makes a %s fail after the timeout', async (what) => {
    const { files, whenAsked } = hungReads();
    const clock = new ManualClock();
    const patient = createFileMover(
      null,
      withTimeouts(files, clock, () => 'share'),
    );
    const path = put('a', 'contents');
    const work = what === 'hash' ? patient.hash(path, signal) : patient.copy(path, join(dir, 'b'), signal);
    const failure = expect(work).rejects.toMatchObject({ code: 'file.disk-hangs' });
    await whenAsked;
    clock.advance(FILE_TIMEOUT_MS);
    await failure;
  });

  it.each(['hash', 'copy'] as const)('does not delay the stop of a %s', async (what) => {
    const { files, whenAsked } = hungReads();
    const impatient = createFileMover(null, files);
    const stop = new AbortController();
    const path = put('a', 'contents');
    const work =
      what === 'hash' ? impatient.hash(path, stop.signal) : impatient.copy(path, join(dir, 'b'), stop.signal);
    const failure = expect(work).rejects.toThrow('stopped');
    await whenAsked;
    stop.abort(new Error('stopped'));
    await failure;
  });
});
