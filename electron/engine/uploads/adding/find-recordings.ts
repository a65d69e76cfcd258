import { basename, join } from 'node:path';
import { type AppError, appError, toAppError } from '../../../../shared/contract/app-error.ts';
import type { UnclearPair } from '../../../../shared/contract/upload-files.ts';
import { ignoredFile, ignoredFolder, isPackageName } from '../../../../shared/model/ignored-names.ts';
import { type ChosenPairs, CompanionPairs, type FoundCompanion } from '../../companions/companion-pairs.ts';
import type { EarlierUploads } from '../../companions/earlier-uploads.ts';
import type { LateTarget } from '../../companions/late-files.ts';
import type { FileFacts, Files } from '../../ports/files.ts';
import { recoverPath } from './recover-path.ts';

/** A path that was found, whether it can be sent or not. */
export type FoundPath =
  | { path: string; facts: FileFacts; companions: FoundCompanion[]; late?: LateTarget }
  | { path: string; error: AppError; facts?: FileFacts; unclear?: UnclearPair };

const NATURAL_ORDER = new Intl.Collator('en', { numeric: true, sensitivity: 'base' });

/** The number of files of a folder whose facts are read ahead, because each read waits for the disk. */
const LOOK_AHEAD = 16;

interface FindOptions {
  sidecars: boolean;
  chosen?: ChosenPairs | undefined;
  earlier?: EarlierUploads | null;
}

/**
 * Searches files and folders in the given order; inside a folder in natural order ("2" before "10"). Returns every path exactly
 * once, with its facts or with the reason for skipping it. `files` must not follow links inside the folders (see `filesByRoot`), which
 * may form cycles. With `sidecars`, captions,
 * thumbnails and details are returned with their recording and not as separate files; a file whose name does not identify its
 * recording is returned with the error `file.pair-unclear`, unless the user chose the recording (`chosen`). A sidecar that can't
 * be read is returned with its error, also when only its recording was added. With `earlier`, a file whose recording was uploaded
 * before is returned with that upload (`late`).
 */
export async function* findRecordings(
  files: Files,
  paths: readonly string[],
  { sidecars, chosen, earlier }: FindOptions,
): AsyncGenerator<FoundPath, void, undefined> {
  const seen = new Set<string>();
  // For most paths `recoverPath` does not read the disk: only a name with U+FFFD can have lost bytes.
  const wanted: { path: string; error?: AppError }[] = [];
  for (const path of paths) {
    wanted.push(
      await recoverPath(files, path).then(
        (found) => ({ path: found }),
        (error: unknown) => ({ path, error: toAppError(error) }),
      ),
    );
  }
  const pairs = sidecars
    ? new CompanionPairs(
        files,
        wanted.map(({ path }) => path),
        chosen,
        earlier,
      )
    : null;
  for (const { path, error } of wanted) {
    if (error === undefined) yield* walk({ files, seen, pairs }, path, false);
    else yield { path, error };
  }
}

interface Walk {
  files: Files;
  seen: Set<string>;
  pairs: CompanionPairs | null;
}

/** The facts of a path, with the names in it if it is a folder; or the error of reading them. */
type Glance = { facts: FileFacts; names: string[] } | Skipped;
/** `facts`: of a file that is left out. */
type Skipped = { error: AppError; facts?: FileFacts };

/**
 * Reads the facts of a path. In a folder (`insideFolder`), partial, temporary and system names are an error, by the list that
 * watched folders use as well. Never rejects, because its caller may not await it.
 */
async function glanceAt(files: Files, path: string, insideFolder: boolean): Promise<Glance> {
  const name = basename(path);
  const skipped = (facts: FileFacts | null): Skipped => ({
    error: appError('file.hidden', { details: { path } }),
    ...(facts?.kind === 'file' ? { facts } : {}),
  });
  const [isFileName, isFolderName] = insideFolder
    ? [ignoredFile(name) !== null, ignoredFolder(name) !== null]
    : [false, false];
  if (isFileName && isFolderName) return skipped(await files.facts(path).catch(() => null));
  try {
    const facts = await files.facts(path);
    // A trash folder may contain millions of files, and may not be listed.
    // Also when it was chosen itself: its user sees one file, and not the thousands that it may contain.
    if (facts.kind === 'folder' && isPackageName(name))
      return { error: appError('file.package', { details: { path } }) };
    if (facts.kind === 'folder' ? isFolderName : isFileName) return skipped(facts);
    if (facts.kind === 'file' && facts.isOwnReadable !== true) await files.assertReadable(path);
    return { facts, names: facts.kind === 'folder' ? await files.list(path) : [] };
  } catch (error) {
    return { error: toAppError(error) };
  }
}

/** Yields the findings at a path. `glance`: the facts of the path, if they were read ahead. */
async function* walk(
  around: Walk,
  path: string,
  insideFolder: boolean,
  glance?: Promise<Glance>,
): AsyncGenerator<FoundPath, void, undefined> {
  const { files, seen, pairs } = around;
  if (seen.has(path)) return;
  seen.add(path);
  const found = await (glance ?? glanceAt(files, path, insideFolder));
  if ('error' in found) {
    yield { path, ...found };
    return;
  }
  const { facts, names } = found;
  if (facts.kind === 'folder') yield* walkFolder(around, path, names);
  else if (facts.kind === 'other') yield { path, error: appError('file.not-regular', { details: { path } }) };
  else if (facts.sizeBytes === 0) yield { path, error: appError('file.empty', { details: { path } }) };
  else if (pairs === null) yield { path, facts, companions: [] };
  else yield* fileWithPairs(pairs, path, facts);
}

/** Yields the finding of a file; nothing when it is sent with its recording. */
async function* fileWithPairs(
  pairs: CompanionPairs,
  path: string,
  facts: FileFacts,
): AsyncGenerator<FoundPath, void, undefined> {
  const decision = await pairs.decide(path, facts);
  switch (decision.kind) {
    case 'attached':
      return;
    case 'late':
      yield { path, facts, companions: [], late: decision.late };
      return;
    case 'refused':
      yield { path, facts, error: decision.error, ...(decision.unclear ? { unclear: decision.unclear } : {}) };
      return;
    case 'item':
      yield { path, facts, companions: decision.companions };
      yield* decision.unreadable;
  }
}

/** Yields the findings in a folder, in natural order. Some of the next entries are read ahead. */
async function* walkFolder(around: Walk, path: string, names: string[]): AsyncGenerator<FoundPath, void, undefined> {
  const { files, pairs } = around;
  names.sort(NATURAL_ORDER.compare);
  pairs?.noteFolder(path, names);
  const glances: Promise<Glance>[] = [];
  for (const [index, name] of names.entries()) {
    for (let next = index + glances.length; next < names.length && glances.length < LOOK_AHEAD; next += 1) {
      const coming = names[next] as string;
      glances.push(glanceAt(files, join(path, coming), true));
    }
    yield* walk(around, join(path, name), true, glances.shift());
  }
}
