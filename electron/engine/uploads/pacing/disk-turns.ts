import type { DiskMode } from '../../../../shared/model/disk-modes.ts';
import type { Disks } from '../../ports/disks.ts';

/**
 * Decides which disks are read one file at a time: a rotating disk reads two files in parallel more slowly than one
 * after the other.
 */
export class DiskTurns {
  readonly #disks: Disks;
  readonly #mode: () => DiskMode;

  constructor(disks: Disks, mode: () => DiskMode) {
    this.#disks = disks;
    this.#mode = mode;
  }

  isSerial(device: string): boolean {
    const mode = this.#mode();
    if (device === '' || mode === 'parallel') return false;
    return mode === 'serial' || this.#disks.isRotating(device) === true;
  }
}
