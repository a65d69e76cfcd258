import { mkdirSync, mkdtempSync, rmSync, symlinkSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { createNodeVolumes } from '../../../../electron/engine/ports/system/node-volumes.ts';

let dir: string;
beforeEach(() => {
  dir = mkdtempSync(join(tmpdir(), 'mediadesk-volumes-'));
});
afterEach(() => rmSync(dir, { recursive: true, force: true }));

describe('volumes on Windows', () => {
  const volumes = createNodeVolumes('win32');

  it('tell two sticks with one letter apart by their serial numbers', () => {
    const [one, other] = ['11', '22'].map((serial) => volumes.of('E:\\DCIM\\MVI_0001.mp4', serial));
    expect(one).toMatchObject({ key: 'serial:11', mountPoint: 'E:\\', isCertain: true });
    expect(other?.key).not.toBe(one?.key);
  });

  it('recognize a stick that returns under another letter', () => {
    const { key } = volumes.of('E:\\DCIM', '11');
    expect(volumes.of('F:\\DCIM', '11').key).toBe(key);
    expect(volumes.mountPoints(key)).toContain('F:\\');
  });

  it('prove nothing by a letter alone', () => {
    for (const device of ['', '0'])
      expect(volumes.of('E:\\DCIM', device)).toMatchObject({ key: 'root:e:\\', isCertain: false });
    expect(volumes.of('\\\\nas\\share\\in', '5')).toMatchObject({ isCertain: true, isNetwork: true });
  });
});

describe('volumes on macOS', () => {
  it('prove nothing by the name of a drive, and tell two of one name apart by their devices', () => {
    const volumes = createNodeVolumes('darwin');
    const [one, other] = ['5', '6'].map((device) => volumes.of('/Volumes/EOS/DCIM', device));
    expect(one).toMatchObject({ mountPoint: '/Volumes/EOS', isCertain: false, nameKey: 'volume:EOS' });
    expect(other?.key).not.toBe(one?.key);
    expect(volumes.mountPoints(one?.key ?? '')).toEqual(['/Volumes/EOS']);
    expect(volumes.of('/Users/ada/in', '1')).toMatchObject({ isCertain: true });
  });
});

describe('volumes on Linux', () => {
  const mount = (point: string, source: string, type = 'vfat') => `40 20 8:17 / ${point} rw - ${type} ${source} rw`;

  it('have the identifier of their file system, wherever they are mounted', () => {
    writeFileSync(join(dir, 'sdb1'), '');
    mkdirSync(join(dir, 'uuids'));
    symlinkSync(join(dir, 'sdb1'), join(dir, 'uuids/ABCD-1234'));
    // The real table has names below /dev; the test can't create one there.
    const source = `/dev/..${join(dir, 'sdb1')}`;
    const volumesAt = (point: string) =>
      createNodeVolumes('linux', { mounts: () => mount(point, source), uuids: join(dir, 'uuids') });
    const first = volumesAt('/media/a').of('/media/a/DCIM/1.mp4');
    expect(first).toMatchObject({ key: 'uuid:ABCD-1234', isCertain: true, hasFileNumbers: false });
    expect(volumesAt('/media/b').mountPoints(first.key)).toEqual(['/media/b']);
  });

  it('prove nothing by the name of a device, which the next drive gets, too', () => {
    const volumes = createNodeVolumes('linux', { mounts: () => mount('/media/a', '/dev/sdb1'), uuids: dir });
    const [one, other] = ['5', '6'].map((device) => volumes.of('/media/a/1.mp4', device));
    expect(one).toMatchObject({ isCertain: false, nameKey: '/dev/sdb1' });
    expect(other?.key).not.toBe(one?.key);
    expect(volumes.mountPoints(one?.key ?? '')).toEqual(['/media/a']);
  });

  it('are certain for the system disk and for shares', () => {
    const mounts = () => [mount('/', '/dev/sda2', 'ext4'), mount('/mnt/s', 'nas:/in', 'nfs4')].join('\n');
    const volumes = createNodeVolumes('linux', { mounts, uuids: dir });
    expect(volumes.of('/home/ada/1.mp4', '1')).toMatchObject({ isCertain: true, hasFileNumbers: true });
    expect(volumes.of('/mnt/s/1.mp4', '2')).toMatchObject({ key: 'share:nas:/in', isCertain: true });
  });
});
