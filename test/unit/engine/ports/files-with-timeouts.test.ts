import { describe, expect, it } from 'vitest';
import type { FileFacts, Files, OpenFile } from '../../../../electron/engine/ports/files.ts';
import { FILE_TIMEOUT_MS, withTimeouts } from '../../../../electron/engine/ports/system/files-with-timeouts.ts';
import { createDiskOf, longestMount, readMountTable } from '../../../../electron/engine/ports/system/node-mounts.ts';
import { ManualClock } from '../../../helpers/time/manual-clock.ts';

const FACTS: FileFacts = { kind: 'file', sizeBytes: 1, mtimeMs: 1, identity: '1:1' };

/** Creates files whose calls return when the test calls the `answer` of the call in `asked`. */
function heldFiles() {
  const asked: { path: string; answer: () => void }[] = [];
  let closed = 0;
  const file: OpenFile = {
    read: async () => 0,
    facts: async () => FACTS,
    path: async () => null,
    close: async () => {
      closed += 1;
    },
  };
  const later = <T>(path: string, value: T) =>
    new Promise<T>((resolve) => asked.push({ path, answer: () => resolve(value) }));
  const files: Files = {
    facts: (path) => later(path, FACTS),
    assertReadable: (path) => later(path, undefined),
    list: (path) => later(path, []),
    open: (path) => later(path, file),
    within: () => files,
  };
  return { files, asked, closed: () => closed };
}

const turn = () => new Promise<void>((resolve) => setImmediate(resolve));
const diskByFolder = (path: string) => path.split('/')[1] ?? '';

describe('files on a disk that does not answer', () => {
  it('time out, and are not accessed again until the pending call returns', async () => {
    const clock = new ManualClock();
    const held = heldFiles();
    const files = withTimeouts(held.files, clock, diskByFolder);
    const first = files.facts('/dead/a');
    first.catch(() => {});
    clock.advance(FILE_TIMEOUT_MS);
    await expect(first).rejects.toMatchObject({ code: 'file.disk-hangs' });
    await expect(files.facts('/dead/b')).rejects.toMatchObject({ code: 'file.disk-hangs' });
    expect(held.asked).toHaveLength(1);
    held.asked[0]?.answer();
    await turn();
    const again = files.facts('/dead/b');
    held.asked[1]?.answer();
    expect(await again).toEqual(FACTS);
  });

  it('use at most four threads, and none of another disk', async () => {
    const clock = new ManualClock();
    const held = heldFiles();
    const files = withTimeouts(held.files, clock, diskByFolder);
    const dead = Array.from({ length: 20 }, (_, index) => files.facts(`/dead/${index}`));
    for (const each of dead) each.catch(() => {});
    await turn();
    expect(held.asked).toHaveLength(4);
    const alive = files.facts('/alive/a');
    held.asked.at(-1)?.answer();
    expect(await alive).toEqual(FACTS);
    clock.advance(FILE_TIMEOUT_MS);
    const ends = await Promise.allSettled(dead);
    expect(ends.every(({ status }) => status === 'rejected')).toBe(true);
    expect(held.asked).toHaveLength(5);
  });

  it('are closed when they open after the timeout', async () => {
    const clock = new ManualClock();
    const held = heldFiles();
    const opening = withTimeouts(held.files, clock, diskByFolder).open('/dead/a');
    opening.catch(() => {});
    clock.advance(FILE_TIMEOUT_MS);
    await expect(opening).rejects.toMatchObject({ code: 'file.disk-hangs' });
    held.asked[0]?.answer();
    await turn();
    expect(held.closed()).toBe(1);
  });
});

describe('the disk of a path', () => {
  const table = readMountTable(
    [
      '21 1 8:1 / / rw - ext4 /dev/sda1 rw',
      '30 21 0:50 / /mnt/nas rw - nfs4 nas:/ rw',
      '31 21 8:17 / /media/anna/My\\040Disk rw - exfat /dev/sdb1 rw',
    ].join('\n'),
  );

  it('is the mount with the longest matching path', () => {
    expect(longestMount('/mnt/nas/a.wav', table)?.id).toBe('30');
    expect(longestMount('/media/anna/My Disk/a.wav', table)?.id).toBe('31');
    expect(longestMount('/mnt/nas2/a.wav', table)?.id).toBe('21');
  });

  it('is named after the folder of the file on the system drive of Windows, and after the drive or share elsewhere', () => {
    const diskOf = createDiskOf('win32', new ManualClock());
    expect(diskOf('C:\\Users\\anna\\a.wav')).toBe('C:\\Users\\anna');
    expect(diskOf('D:\\day\\a.wav')).toBe('D:\\');
    expect(diskOf('\\\\nas\\talks\\day\\a.wav')).toBe('\\\\nas\\talks\\');
  });

  it('is named after the folder of the file on the system disk of macOS, and after the volume elsewhere', () => {
    const diskOf = createDiskOf('darwin', new ManualClock());
    expect(diskOf('/Users/anna/a.wav')).toBe('/Users/anna');
    expect(diskOf('/Volumes/USB/day/a.wav')).toBe('/Volumes/USB');
  });
});
