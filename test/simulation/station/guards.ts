import type { StationFocus } from './draw-station.ts';
import type { GuardSource } from './switch-off.ts';

/** A guard of the watch engine and a change of its source that switches it off. */
interface Guard extends GuardSource {
  /** What it prevents. */
  name: string;
  /** The kind of days on which the guard matters. */
  focus: StationFocus;
  /** The seed of such a day that breaks a rule without the guard. */
  seed: number;
}

/** The guards that ensure the guarantees of watched folders. The simulation has to detect the absence of each. */
export const GUARDS: readonly Guard[] = [
  {
    name: 'a file is ready only after a quiet time',
    seed: 7,
    file: 'electron/engine/watch/readiness/readiness-limits.ts',
    find: 'export const LEAST_QUIET_MS = 10_000;',
    replaceBy: 'export const LEAST_QUIET_MS = 1;',
    focus: { kinds: ['steady'] },
  },
  {
    name: 'the quiet time is three times the longest gap between two writes',
    seed: 2,
    file: 'electron/engine/watch/readiness/readiness-limits.ts',
    find: 'const GAPS = 3;',
    replaceBy: 'const GAPS = 0;',
    focus: { place: 'local', kinds: ['growing pauses'] },
  },
  {
    name: 'the time before a late poll does not count as quiet time',
    seed: 13,
    file: 'electron/engine/watch/readiness/readiness-limits.ts',
    find: 'const LATE_MS = 6000;',
    replaceBy: 'const LATE_MS = 1e12;',
    focus: { place: 'local', kinds: ['steady'], events: ['sleep'], plan: { clockStopsInSleep: false } },
  },
  {
    name: 'a file with an incomplete container is not ready',
    seed: 1,
    file: 'electron/engine/watch/readiness/inspect.ts',
    find: 'const container = await checkContainer(basename(path), sizeBytes, readAt);',
    replaceBy: "const container = { kind: 'unknown' } as Awaited<ReturnType<typeof checkContainer>>;",
    focus: { kinds: ['container with pauses', 'abandoned'] },
  },
  {
    name: 'a file that another process has open is not ready',
    seed: 3,
    file: 'electron/engine/watch/readiness/inspect.ts',
    find: 'const isOpenElsewhere = await openFiles.isOpenForWriting({ path, identity });',
    replaceBy: 'const isOpenElsewhere = null;',
    focus: { place: 'local', kinds: ['open with pauses'] },
  },
  {
    name: 'a change of the allocated blocks starts the quiet time again',
    seed: 4,
    file: 'electron/engine/watch/readiness/observations.ts',
    find: "one.blocks !== other.blocks ? 'allocated' : 'none'",
    replaceBy: "false ? 'allocated' : 'none'",
    focus: { kinds: ['preallocated'] },
  },
  {
    name: 'a renamed file is recognized by its file number',
    seed: 1,
    file: 'electron/engine/watch/detection/reconcile.ts',
    find: 'if (files.contents.byFile(folderId, entry) !== null) return true;',
    replaceBy: 'return false;',
    focus: { kinds: ['renamed'] },
  },
  {
    name: 'known contents are recognized under another name and file number',
    seed: 3,
    file: 'electron/engine/watch/settling/known-contents.ts',
    find: 'if (candidates.length === 0) return false;',
    replaceBy: 'return false;',
    focus: {
      place: 'usb',
      kinds: ['renamed'],
      events: ['unplugged'],
      plan: { numbersChange: true, source: { kind: 'keep' } },
    },
  },
  {
    name: 'all bytes of two files are compared, not only their ends',
    seed: 1,
    file: 'electron/engine/watch/settling/known-contents.ts',
    find: 'return sha256 !== null && candidates.includes(sha256);',
    replaceBy: 'return true;',
    focus: { kinds: ['container with pauses'] },
  },
  {
    name: 'an empty mount point does not count as the drive of the folder',
    seed: 6,
    file: 'electron/engine/watch/identity/root-check.ts',
    find: 'const isItsVolume = isVolumeOf(folder, volume, rootId.id);',
    replaceBy: 'const isItsVolume = true;',
    focus: { place: 'usb', events: ['unplugged'], plan: { mountPointStays: true } },
  },
  {
    name: 'the root of a folder is checked again after a sweep',
    seed: 5,
    file: 'electron/engine/watch/detection/sweep-jobs.ts',
    find: "if (now === null || swept.unlisted.includes('') || !(await this.#check(now, runtime))) return;",
    replaceBy: 'if (now === null) return;',
    focus: {
      place: 'usb',
      kinds: ['steady', 'abandoned'],
      events: ['unplugged'],
      plan: { folder: '', mountPointStays: true, sweepEveryMs: 60_000, eventsLost: 1, answersWithinMs: 9000 },
    },
  },
];
