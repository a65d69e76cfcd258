import type { Disk } from './disk.ts';

/** Whether the drive has room for new files. The figure is from the last second or two: asking never waits for the drive. */
export interface FreeSpace {
  /** Asks the drive. Does nothing while an earlier question has no answer. */
  refresh(): Promise<void>;
  /** Returns whether the reserve stays free when a file of this size is added; true when the drive does not tell. */
  hasRoomFor(bytes: number): boolean;
}

/** `reserveBytes`: the space that stays free. */
export function watchFreeSpace(disk: Pick<Disk, 'space'>, reserveBytes: number): FreeSpace {
  let freeBytes: number | undefined;
  let asking: Promise<void> | undefined;
  async function ask(): Promise<void> {
    try {
      ({ freeBytes } = await disk.space());
    } catch {
      freeBytes = undefined;
    }
  }
  return {
    refresh() {
      asking ??= ask().finally(() => {
        asking = undefined;
      });
      return asking;
    },
    hasRoomFor: (bytes) => freeBytes === undefined || freeBytes - bytes >= reserveBytes,
  };
}
