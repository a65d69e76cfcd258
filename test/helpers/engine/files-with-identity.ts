import type { FileFacts, Files } from '../../../electron/engine/ports/files.ts';
import type { FolderWalker } from '../../../electron/engine/ports/folder-walker.ts';

/** Returns files whose identities are those of another file system, such as one that numbers no file. */
export function filesWithIdentity(files: Files, identityOf: (identity: string) => string): Files {
  const changed = (facts: FileFacts): FileFacts => ({ ...facts, identity: identityOf(facts.identity) });
  return {
    ...files,
    facts: async (path) => changed(await files.facts(path)),
    async open(path) {
      const file = await files.open(path);
      return { ...file, facts: async () => changed(await file.facts()) };
    },
    within: (root) => filesWithIdentity(files.within(root), identityOf),
  };
}

/** Returns a walker that gives the number 0 to all files. */
export function walkerWithoutNumbers(walker: FolderWalker): FolderWalker {
  return {
    ...walker,
    walk: (request, onBatch, signal) =>
      walker.walk(
        request,
        (batch) => onBatch({ ...batch, entries: batch.entries.map((entry) => ({ ...entry, fileId: '0' })) }),
        signal,
      ),
    entriesAt: async (root, paths) => (await walker.entriesAt(root, paths)).map((entry) => ({ ...entry, fileId: '0' })),
  };
}
