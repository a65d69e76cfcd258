/** A guard of the watch engine and a change of its source that switches it off. */
export interface Guard {
  /** What it prevents. */
  name: string;
  /** The source file, from the top of the repository. */
  file: string;
  find: string;
  replaceBy: string;
}

/** The guards that keep the promises of watched folders. The simulation has to notice the absence of each. */
export const GUARDS: readonly Guard[] = [
  {
    name: 'quiet time',
    file: 'electron/engine/watch/readiness/decide-readiness.ts',
    find: 'export const LEAST_QUIET_MS = 10_000;',
    replaceBy: 'export const LEAST_QUIET_MS = 1;',
  },
  {
    name: 'three times the longest gap',
    file: 'electron/engine/watch/readiness/decide-readiness.ts',
    find: 'const GAPS = 3;',
    replaceBy: 'const GAPS = 0;',
  },
  {
    name: 'late polls do not count',
    file: 'electron/engine/watch/readiness/history.ts',
    find: 'const LATE_MS = 6000;',
    replaceBy: 'const LATE_MS = 1e12;',
  },
  {
    name: 'container check',
    file: 'electron/engine/watch/readiness/inspect.ts',
    find: 'return { isOpenElsewhere, container };',
    replaceBy: "return { isOpenElsewhere, container: { kind: 'unknown' } };",
  },
  {
    name: 'open elsewhere',
    file: 'electron/engine/watch/readiness/inspect.ts',
    find: 'return { isOpenElsewhere, container };',
    replaceBy: 'return { isOpenElsewhere: null, container };',
  },
  {
    name: 'allocated blocks',
    file: 'electron/engine/watch/readiness/history.ts',
    find: "one.blocks !== other.blocks ? 'allocated' : 'none'",
    replaceBy: "false ? 'allocated' : 'none'",
  },
  {
    name: 'identity of renamed files',
    file: 'electron/engine/watch/detection/reconcile.ts',
    find: 'if (files.handledByFile(folderId, entry) !== null) return true;',
    replaceBy: 'return false;',
  },
  {
    name: 'known contents',
    file: 'electron/engine/watch/settling/known-contents.ts',
    find: 'if (files.handledByFile(row.folderId, row) !== null) return true;',
    replaceBy: 'return false;',
  },
  {
    name: 'all bytes are compared, not the ends alone',
    file: 'electron/engine/watch/settling/known-contents.ts',
    find: 'return sha256 !== null && candidates.includes(sha256);',
    replaceBy: 'return true;',
  },
  {
    name: 'comparison after the upload',
    file: 'electron/engine/watch/intake/after-upload.ts',
    find: 'if (isSame) return',
    replaceBy: 'if (isSame || done.uploadId !== null) return',
  },
  {
    name: 'empty mount point',
    file: 'electron/engine/watch/identity/root-check.ts',
    find: 'const isItsVolume = volume.key === folder.volume;\n  try {',
    replaceBy: 'const isItsVolume = true;\n  try {',
  },
  {
    name: 'check of the root after a sweep',
    file: 'electron/engine/watch/detection/sweep-jobs.ts',
    find: "if (now === null || swept.unlisted.includes('') || !(await this.#check(now, runtime))) return;",
    replaceBy: 'if (now === null) return;',
  },
  {
    name: 'the mark and the upload are one transaction',
    file: 'electron/engine/watch/intake/intake.ts',
    find: 'for (const { file, upload } of added) this.#mark(file, upload, now);\n      },\n    );',
    replaceBy: '},\n    );\n    for (const { file, upload } of added) this.#mark(file, upload, now);',
  },
];
