import { readFileSync, realpathSync } from 'node:fs';
import { join } from 'node:path';
import type { Disks } from '../disks.ts';

/** The disks of this computer. Only Linux reports them; each disk is read once. */
export function createNodeDisks(platform: string, sysfs = '/sys'): Disks {
  const known = new Map<string, boolean | null>();
  return {
    isRotating(device) {
      let answer = known.get(device);
      if (answer === undefined) {
        answer = platform === 'linux' ? askLinux(device, sysfs) : null;
        known.set(device, answer);
      }
      return answer;
    },
  };
}

/** Virtual machines report every disk as rotating, whatever the hardware is. */
const VIRTUAL = /\/(virtio|vbd-)\d+\//;

/**
 * Returns whether Linux reports a device as rotating; null: unknown. A partition has no queue folder; its disk, the parent
 * folder, has one. Network shares have neither.
 */
function askLinux(device: string, sysfs: string): boolean | null {
  if (!/^\d+$/.test(device)) return null;
  const { major, minor } = numbersOf(BigInt(device));
  const folder = join(sysfs, 'dev', 'block', `${major}:${minor}`);
  // Not `join`: the folder is a link, and “..” must be resolved after it.
  for (const path of [`${folder}/queue/rotational`, `${folder}/../queue/rotational`]) {
    try {
      const isRotating = readFileSync(path, 'utf8').trim() === '1';
      return isRotating && VIRTUAL.test(realpathSync(folder)) ? null : isRotating;
    } catch {
      // A partition, or no disk at all: the next path is tried; after the last one the answer is unknown.
    }
  }
  return null;
}

/** Returns the two numbers of a device, which Linux packs into one. */
function numbersOf(device: bigint): { major: bigint; minor: bigint } {
  return {
    major: ((device >> 8n) & 0xfffn) | ((device >> 32n) & 0xfffff000n),
    minor: (device & 0xffn) | ((device >> 12n) & 0xffffff00n),
  };
}
