import { ignoredPart } from '../ignored-names.ts';
import { pairFiles } from '../pairing/pair-files.ts';
import { foldersOf, nameOf, type WatchedFileFacts } from './watched-file.ts';

/**
 * Returns all files, each with its recording, or the candidates when several are possible, by the names in its folder. Empty
 * files, ignored files and anything that is not a file have no companions and are no companions.
 */
export function withRecordings(files: readonly WatchedFileFacts[]): WatchedFileFacts[] {
  const paired = new Map<string, Pick<WatchedFileFacts, 'recording' | 'candidates'>>();
  for (const names of namesByFolder(files)) {
    const { recordingOf, doubtful } = pairFiles(names.keys());
    for (const [name, { path }] of names) {
      const candidates = doubtful.get(name)?.candidates ?? [];
      paired.set(path, {
        recording: names.get(recordingOf.get(name) ?? '') ?? null,
        candidates: candidates.flatMap((each) => names.get(each) ?? []),
      });
    }
  }
  return files.map((facts) => ({ ...facts, recording: null, candidates: [], ...paired.get(facts.path) }));
}

/** The files of each folder that can belong together, by name. */
function namesByFolder(files: readonly WatchedFileFacts[]): Iterable<ReadonlyMap<string, WatchedFileFacts>> {
  const byFolder = new Map<string, Map<string, WatchedFileFacts>>();
  for (const facts of files) {
    if (facts.kind !== 'file' || facts.sizeBytes === 0 || ignoredPart(facts.path) !== null) continue;
    const folder = foldersOf(facts.path).join('/');
    const names = byFolder.get(folder) ?? new Map<string, WatchedFileFacts>();
    byFolder.set(folder, names.set(nameOf(facts.path), facts));
  }
  return byFolder.values();
}
