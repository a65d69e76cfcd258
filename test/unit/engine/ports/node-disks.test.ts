import { mkdirSync, mkdtempSync, rmSync, statSync, symlinkSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { deviceOf } from '../../../../electron/engine/ports/file-identity.ts';
import { createNodeDisks } from '../../../../electron/engine/ports/system/node-disks.ts';
import { DiskTurns } from '../../../../electron/engine/uploads/pacing/disk-turns.ts';

let sysfs: string;

/** Adds a disk with one partition, in the form in which Linux lists disks. */
function addDisk(name: string, number: string, partition: string, rotational: '0' | '1'): void {
  const disk = join(sysfs, 'devices', name);
  mkdirSync(join(disk, 'queue'), { recursive: true });
  mkdirSync(`${disk}/part1`);
  writeFileSync(join(disk, 'queue', 'rotational'), `${rotational}\n`);
  symlinkSync(disk, join(sysfs, 'dev', 'block', number));
  symlinkSync(`${disk}/part1`, join(sysfs, 'dev', 'block', partition));
}

beforeEach(() => {
  sysfs = mkdtempSync(join(tmpdir(), 'mediadesk-sysfs-'));
  mkdirSync(join(sysfs, 'dev', 'block'), { recursive: true });
  addDisk('sda', '8:0', '8:1', '1');
  addDisk('nvme0n1', '259:0', '259:300', '0');
});
afterEach(() => rmSync(sysfs, { recursive: true, force: true }));

describe('the disks of this computer', () => {
  it('are reported as rotating or not, and a partition like its disk', () => {
    const disks = createNodeDisks('linux', sysfs);
    expect(disks.isRotating(String(8 * 256))).toBe(true);
    expect(disks.isRotating(String(8 * 256 + 1))).toBe(true);
    // In a device number such as 259:300, the bits of 300 above the lowest eight are stored above those of 259.
    expect(disks.isRotating(String((259 << 8) | (300 & 0xff) | ((300 & ~0xff) << 12)))).toBe(false);
  });

  it('are unknown in a virtual machine that reports every disk as rotating', () => {
    mkdirSync(join(sysfs, 'devices', 'virtio1', 'block'), { recursive: true });
    addDisk(join('virtio1', 'block', 'vda'), '254:0', '254:1', '1');
    const disks = createNodeDisks('linux', sysfs);
    expect(disks.isRotating(String(254 * 256))).toBeNull();
    expect(disks.isRotating(String(254 * 256 + 1))).toBeNull();
  });

  it('are unknown for network shares, other systems and missing devices', () => {
    expect(createNodeDisks('linux', sysfs).isRotating('42')).toBeNull();
    expect(createNodeDisks('linux', sysfs).isRotating('')).toBeNull();
    expect(createNodeDisks('darwin', sysfs).isRotating(String(8 * 256))).toBeNull();
  });

  it('are queried for the device of a real file without an error', () => {
    const { dev, ino } = statSync(sysfs);
    expect([true, false, null]).toContain(createNodeDisks(process.platform).isRotating(deviceOf(`${dev}:${ino}`)));
  });
});

describe('files on the same disk', () => {
  const disks = { isRotating: (device: string) => (device === 'r' ? true : device === 's' ? false : null) };
  it.each([
    ['auto', [true, false, false, false]],
    ['serial', [true, true, true, false]],
    ['parallel', [false, false, false, false]],
  ] as const)('are read one at a time or in parallel as the mode “%s” requires', (mode, expected) => {
    const turns = new DiskTurns(disks, () => mode);
    expect(['r', 's', 'unknown', ''].map((device) => turns.isSerial(device))).toEqual(expected);
  });
});
