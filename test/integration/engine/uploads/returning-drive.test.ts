import { execFileSync } from 'node:child_process';
import { mkdirSync, mkdtempSync, readFileSync, rmSync, symlinkSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, describe, expect } from 'vitest';
import { createNodeVolumes } from '../../../../electron/engine/ports/system/node-volumes.ts';
import { deskTest } from '../../../helpers/engine/desk.ts';
import { mayMount, mountSmallDisk } from '../../../helpers/system/small-disk.ts';

const uuids = mkdtempSync(join(tmpdir(), 'mediadesk-uuids-'));
afterAll(() => rmSync(uuids, { recursive: true }));

// The system lists the small disk as a drive with an identifier: only a device has one, and creating one needs more rights.
symlinkSync('/dev/zero', join(uuids, '1234-ABCD'));
const mounts = () => readFileSync('/proc/self/mountinfo', 'utf8').replaceAll(' mediadesk-test ', ' /dev/zero ');

const it = deskTest();

it.override({ speed: 20, host: { volumes: createNodeVolumes('linux', { mounts, uuids }) } });

describe.skipIf(process.platform !== 'linux' || !mayMount())('a drive that returns at another mount point', () => {
  it('is found by its identifier, its files are sent from there, and nothing at the old place is', async ({ desk }) => {
    const disk = mountSmallDisk(2);
    const elsewhere = join(desk.dir, 'elsewhere');
    mkdirSync(elsewhere);
    try {
      mkdirSync(join(disk.path, 'day'));
      writeFileSync(join(disk.path, 'day/rec.txt'), 'a recording');
      await desk.add([join(disk.path, 'day')]);
      // Moving the mount of a shared folder is not permitted; a second mount of the same drive is.
      execFileSync('mount', ['--bind', disk.path, elsewhere], { stdio: 'pipe' });
      disk.unmount();
      mkdirSync(join(disk.path, 'day'));
      writeFileSync(join(disk.path, 'day/rec.txt'), 'b recording');
      await desk.run();
      expect(await desk.rows()).toMatchObject([{ state: 'complete', path: join(elsewhere, 'day/rec.txt') }]);
    } finally {
      execFileSync('umount', ['--lazy', elsewhere], { stdio: 'pipe' });
      disk.remove();
    }
  });
});
