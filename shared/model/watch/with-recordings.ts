import { ignoredPart } from '../ignored-names.ts';
import { pairFiles } from '../pairing/pair-files.ts';
import { type FileFacts, foldersOf, nameOf } from './watched-file.ts';

/**
 * Returns all files, each with its recording, or the candidates when several are possible, by the names in its folder. Empty
 * files, ignored files and anything that is not a file have no companions and are no companions.
 */
export function withRecordings(files: readonly FileFacts[]): FileFacts[] {
  const recordings = new Map<string, FileFacts>();
  const candidates = new Map<string, FileFacts[]>();
  for (const names of namesByFolder(files)) {
    const { pairs, doubtful } = pairFiles(names.keys());
    for (const [recording, companions] of pairs) {
      const owner = names.get(recording);
      if (owner === undefined) continue;
      for (const { fileName } of companions) recordings.set(names.get(fileName)?.path ?? '', owner);
    }
    for (const { fileName, doubt, candidates: possible } of doubtful) {
      // Its recording has a thumbnail already: a second picture is an item, without candidates.
      if (doubt === 'taken') continue;
      candidates.set(
        names.get(fileName)?.path ?? '',
        possible.flatMap((name) => names.get(name) ?? []),
      );
    }
  }
  return files.map((facts) => ({
    ...{ ...facts, recording: recordings.get(facts.path) ?? null },
    candidates: candidates.get(facts.path) ?? [],
  }));
}

/** The files of each folder that can belong together, by name. */
function namesByFolder(files: readonly FileFacts[]): Iterable<ReadonlyMap<string, FileFacts>> {
  const byFolder = new Map<string, Map<string, FileFacts>>();
  for (const facts of files) {
    if (facts.kind !== 'file' || facts.sizeBytes === 0 || ignoredPart(facts.path) !== null) continue;
    const folder = foldersOf(facts.path).join('/');
    const names = byFolder.get(folder) ?? new Map<string, FileFacts>();
    byFolder.set(folder, names.set(nameOf(facts.path), facts));
  }
  return byFolder.values();
}
