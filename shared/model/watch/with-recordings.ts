import { pairSidecars } from '../sidecars.ts';
import { type FileFacts, foldersOf, nameOf } from './file-facts.ts';
import { ignoredPart } from './ignored-names.ts';

/**
 * Returns the files with the recording that each sidecar belongs to, by the names in its folder. An empty file, a file that
 * is ignored and what is no file neither has sidecars nor is one.
 */
export function withRecordings(files: readonly FileFacts[]): FileFacts[] {
  const byFolder = new Map<string, Map<string, FileFacts>>();
  for (const facts of files) {
    if (facts.kind !== 'file' || facts.sizeBytes === 0 || ignoredPart(facts.path) !== null) continue;
    const folder = foldersOf(facts.path).join('/');
    const names = byFolder.get(folder) ?? new Map<string, FileFacts>();
    byFolder.set(folder, names.set(nameOf(facts.path), facts));
  }
  const recordings = new Map<string, FileFacts>();
  for (const names of byFolder.values()) {
    for (const [recording, sidecars] of pairSidecars(names.keys())) {
      const owner = names.get(recording);
      if (owner === undefined) continue;
      for (const { fileName } of sidecars) recordings.set(names.get(fileName)?.path ?? '', owner);
    }
  }
  return files.map((facts) => ({ ...facts, recording: recordings.get(facts.path) ?? null }));
}
