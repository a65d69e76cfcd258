import type { Blobs } from './blobs.ts';

/** Whether the storage has room for new files. The figure is from the last second or two: asking never waits for the drive. */
export interface FreeSpace {
  /** Asks the drive. Does nothing while an earlier question has no answer. */
  refresh(): Promise<void>;
  /** Returns whether the free space of the drive is known. */
  isKnown(): boolean;
  /** Subtracts bytes that arrived, until the drive is asked again. */
  taken(bytes: number): void;
  /** Returns whether the reserve stays free when a file of this size is added; true when the drive does not tell. */
  hasRoomFor(bytes: number): boolean;
}

/** `reserveBytes`: the space that stays free. */
export function watchFreeSpace(blobs: Pick<Blobs, 'space'>, reserveBytes: number): FreeSpace {
  let freeBytes: number | undefined;
  /** Bytes that arrived since the drive was asked. */
  let takenBytes = 0;
  let asking: Promise<void> | undefined;
  async function ask(): Promise<void> {
    const takenBefore = takenBytes;
    try {
      freeBytes = (await blobs.space())?.freeBytes;
    } catch {
      freeBytes = undefined;
    }
    takenBytes -= takenBefore;
  }
  return {
    refresh() {
      asking ??= ask().finally(() => {
        asking = undefined;
      });
      return asking;
    },
    isKnown: () => freeBytes !== undefined,
    taken(bytes) {
      takenBytes += bytes;
    },
    hasRoomFor: (bytes) => freeBytes === undefined || freeBytes - takenBytes - bytes >= reserveBytes,
  };
}
