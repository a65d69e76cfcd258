import { basename } from 'node:path';
import type { EARLIER_DOUBTS, UnclearPair } from '../../../../shared/contract/upload-files.ts';
import type { DoubtfulCompanion } from '../../../../shared/model/pairing/pair-files.ts';
import type { SidecarName } from '../../../../shared/model/sidecars.ts';
import type { Upload } from '../../../../shared/model/upload.ts';
import { shownName } from '../../ports/byte-paths.ts';
import type { FileFacts, Files } from '../../ports/files.ts';
import type { EarlierUploads } from './earlier-uploads.ts';

/** The earlier upload that captions or a thumbnail are added to. */
export interface LateTarget {
  kind: SidecarName['kind'];
  upload: Upload;
}

/** Where a file belongs among earlier uploads; null: nowhere. With a doubt, the user decides. */
export type LateAnswer =
  | { target: LateTarget }
  | { doubt: UnclearPair['doubt']; candidates: UnclearPair['candidates'] }
  | null;

interface Companion {
  path: string;
  kind: SidecarName['kind'];
  /** The paths of recordings in the folder that its name fits and that are not added now. */
  recordings: readonly string[];
  /** Why the recording is not certain from the names; null: it is. */
  doubt: DoubtfulCompanion['doubt'] | null;
}

interface LateTools {
  files: Files;
  earlier: EarlierUploads;
}

/**
 * Finds the earlier upload of the recording of a file. It is certain when the name says so exactly, the recording is still the
 * one that was uploaded, there is one such upload, and its item has nothing in the place of the file. The choice of the user
 * comes first.
 */
export async function latePair(
  { path, kind, recordings, doubt }: Companion,
  { files, earlier }: LateTools,
): Promise<LateAnswer> {
  const fileName = shownName(basename(path));
  const chosen = earlier.chosenFor(path);
  if (chosen !== null) {
    const upload = earlier.get(chosen);
    if (upload !== null) return { target: { kind, upload } };
  }
  const same: Upload[] = [];
  const changed: Upload[] = [];
  const pathOf = new Map<string, string>();
  for (const recording of recordings) {
    const uploads = earlier.ofRecording(recording);
    if (uploads.length === 0) continue;
    const facts = await factsOf(recording, files);
    for (const upload of uploads) {
      pathOf.set(upload.id, recording);
      (isAsUploaded(upload, facts) ? same : changed).push(upload);
    }
  }
  // Earlier contents of the recording are other recordings.
  const uploads = same.length > 0 ? same : changed;
  const [only] = uploads;
  // What the user chose is gone: nothing else is chosen instead.
  if (only === undefined) return chosen === null ? null : { doubt: 'changed', candidates: [] };
  const own = ownDoubt(same, earlier.hasSidecar(only, { kind, fileName }));
  if (chosen === null && doubt === null && own === null) return { target: { kind, upload: only } };
  const candidates = uploads.map((upload) => {
    const recording = pathOf.get(upload.id) ?? upload.path;
    return { path: recording, fileName: shownName(basename(recording)), upload: earlier.shown(upload) };
  });
  return { doubt: doubt ?? own ?? 'changed', candidates };
}

/** Returns why the upload is not certain although the recording is. */
function ownDoubt(same: readonly Upload[], hasOne: boolean): (typeof EARLIER_DOUBTS)[number] | null {
  if (same.length === 0) return 'changed';
  if (same.length > 1) return 'repeated';
  return hasOne ? 'has-one' : null;
}

function isAsUploaded({ sizeBytes, mtimeMs }: Upload, facts: FileFacts | null): boolean {
  return facts?.kind === 'file' && facts.sizeBytes === sizeBytes && facts.mtimeMs === mtimeMs;
}

/** null: the recording can't be read, so nobody knows whether it is the one that was uploaded. */
async function factsOf(path: string, files: Files): Promise<FileFacts | null> {
  return files.facts(path).catch(() => null);
}
