import { mkdirSync, mkdtempSync, realpathSync, rmSync, statSync, symlinkSync, writeFileSync } from 'node:fs';
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
  const mount = (point: string, source: string, type = 'vfat', device = '8:17') =>
    `40 20 ${device} / ${point} rw - ${type} ${source} rw`;

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
    let device = '8:17';
    const mounts = () => mount('/media/a', '/dev/sdb1', 'vfat', device);
    const volumes = createNodeVolumes('linux', { mounts, uuids: dir });
    const one = volumes.of('/media/a/1.mp4', '2065');
    device = '8:33';
    const other = volumes.of('/media/a/1.mp4', '2081');
    expect(one).toMatchObject({ isCertain: false, nameKey: '/dev/sdb1' });
    expect(other?.key).not.toBe(one?.key);
    expect(volumes.mountPoints(one?.key ?? '')).toEqual(['/media/a']);
  });

  it('are certain for the system disk and for shares', () => {
    const mounts = () => [mount('/', '/dev/sda2', 'ext4', '0:1'), mount('/mnt/s', 'nas:/in', 'nfs4', '0:2')].join('\n');
    const volumes = createNodeVolumes('linux', { mounts, uuids: dir });
    expect(volumes.of('/home/ada/1.mp4', '1')).toMatchObject({ isCertain: true, hasFileNumbers: true });
    expect(volumes.of('/mnt/s/1.mp4', '2')).toMatchObject({ key: 'share:nas:/in', isCertain: true });
  });

  it('are unknown for a file whose drive was pulled: the path belongs to another volume now', () => {
    const system = mount('/', '/dev/sda2', 'ext4', '8:2');
    const stick = mount('/media/a', '/dev/sdb1', 'vfat', '8:17');
    let table = [system, stick];
    const volumes = createNodeVolumes('linux', { mounts: () => table.join('\n'), uuids: dir });
    const before = volumes.of('/media/a/1.mp4', '2065').key;
    expect(before).not.toBe('');
    table = [system];
    expect(volumes.of('/media/a/1.mp4', '2065')).toMatchObject({ key: '', isCertain: false });
    expect(volumes.of('/home/ada/1.mp4', '2050').key).not.toBe('');
  });

  it('are known for all parts of a file system with several devices, and not for the file of a pulled drive', () => {
    const table = mount('/', '/dev/sda2', 'btrfs', '0:40');
    const volumes = createNodeVolumes('linux', { mounts: () => table, uuids: dir });
    expect(volumes.of('/home/ada/1.mp4', '99').key).not.toBe('');
    expect(volumes.of('/home/ada/1.mp4', '40').key).not.toBe('');
    for (const device of ['2065', '66307']) expect(volumes.of('/media/a/1.mp4', device).key, device).toBe('');
  });

  it.runIf(process.platform === 'linux')('have the devices that the system reports for their files', () => {
    const volumes = createNodeVolumes('linux');
    for (const path of ['/', '/proc', '/dev', '/dev/shm', tmpdir()].map((each) => realpathSync(each))) {
      expect(volumes.of(path, String(statSync(path).dev)).key, path).not.toBe('');
    }
  });
});
