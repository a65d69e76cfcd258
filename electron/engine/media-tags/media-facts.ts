import { basename } from 'node:path';
import { inflateSync } from 'node:zlib';
import type { MediaFacts } from '../../../shared/contract/media-facts.ts';
import { BoundedBytes, TooMuchToRead } from '../../../shared/formats/bytes/bounded-bytes.ts';
import { cutMedia } from '../../../shared/formats/tags/cut-media.ts';
import { CUT_LIMITS, DamagedTags } from '../../../shared/formats/tags/cut-source.ts';
import { localIsoTime, zoneOffset } from '../../../shared/model/local-day.ts';
import { type RecordingDate, recordingDate } from '../../../shared/model/recipes/recording-date.ts';
import { splitFileName } from '../../../shared/model/title-template.ts';
import type { Clock } from '../ports/clock.ts';
import type { FileFacts, Files } from '../ports/files.ts';
import { filledFrom } from '../ports/filled-from.ts';
import { shownName } from '../ports/system/byte-paths.ts';
import type { EmbeddedDate, EmbeddedTags } from './read-cut.ts';
import type { TagParser, TagProblem } from './tag-thread.ts';

export interface MediaFactsTools {
  files: Files;
  tags: TagParser;
  clock: Clock;
}

/**
 * Returns the facts of a local file, beside its name, that patterns and titles can use: the tags inside it, when it was recorded,
 * and when it was changed. Never rejects: a file that can't be read or parsed has a problem, and the values that are known
 * without its contents. `root`: what the user chose; no link below it is followed. `isLook`: the file may never be added, so it is not
 * downloaded from a cloud.
 */
export type ReadMediaFacts = (path: string, root: string, options?: { isLook?: boolean }) => Promise<MediaFacts>;

/** The timeout for all reads of one file; each of them has the timeout of its disk as well. */
const READ_TIMEOUT_MS = 15_000;
/** The number of files whose facts are kept: a preview and the addition after it read each file once. */
const MOST_KEPT = 2000;
const NOTHING: EmbeddedTags = { tags: {}, dates: [] };

type MediaProblem = NonNullable<MediaFacts['problem']>;

/** Facts with the file that they are about. */
interface Kept {
  facts: MediaFacts;
  file: FileFacts;
}

/** Creates a reader that keeps the facts of the files that it read last, as long as these have not changed. */
export function createMediaFacts(tools: MediaFactsTools): ReadMediaFacts {
  const kept = new Map<string, Kept>();
  return async (path, root, { isLook = false } = {}) => {
    const files = tools.files.within(root);
    let file: FileFacts;
    try {
      file = await files.facts(path);
    } catch {
      // Adding the file reports the reason in full.
      return factsOf(path, null, 'unreadable');
    }
    const known = kept.get(path);
    if (known !== undefined && isSame(known.file, file)) return known.facts;
    if (isLook && file.isOnlyInCloud) return factsOf(path, file, 'in-cloud');
    const found = await readTags(path, { ...tools, files });
    const facts = factsOf(path, file, found);
    kept.delete(path);
    // A problem may be temporary, so it is not kept. The oldest entry is removed first.
    if (facts.problem !== null) return facts;
    const [oldest] = kept.keys();
    if (kept.size >= MOST_KEPT && oldest !== undefined) kept.delete(oldest);
    kept.set(path, { facts, file });
    return facts;
  };
}

function isSame(one: FileFacts, other: FileFacts): boolean {
  return one.identity === other.identity && one.sizeBytes === other.sizeBytes && one.mtimeMs === other.mtimeMs;
}

function factsOf(path: string, file: FileFacts | null, found: EmbeddedTags | MediaProblem): MediaFacts {
  const { stem } = splitFileName(shownName(basename(path)));
  const changed = file === null ? null : localIsoTime(file.mtimeMs);
  const problem = typeof found === 'string' ? found : null;
  const { tags, dates } = typeof found === 'string' ? NOTHING : found;
  return { path, changed, problem, mediaTags: tags, recorded: recordingDate(dates.map(dateOf), stem, changed) };
}

/** Reading took longer than `READ_TIMEOUT_MS`. */
class TooSlow extends Error {
  override name = 'TooSlow';
}

/** Returns the tags of a file, or why there are none. */
async function readTags(
  path: string,
  { files, tags, clock }: MediaFactsTools,
): Promise<EmbeddedTags | TagProblem | 'unreadable'> {
  const lastMs = clock.monotonic() + READ_TIMEOUT_MS;
  try {
    const file = await files.open(path);
    try {
      const { sizeBytes } = await file.facts();
      const readAt = (position: number, length: number) => {
        if (clock.monotonic() > lastMs) throw new TooSlow();
        return filledFrom(file, new Uint8Array(length), position);
      };
      const cut = await cutMedia(new BoundedBytes(sizeBytes, readAt, CUT_LIMITS), inflate);
      return cut === null ? NOTHING : await tags.parse(cut);
    } finally {
      // Not awaited: a disk that does not answer would delay the other files.
      file.close().catch(() => {});
    }
  } catch (error) {
    if (error instanceof TooMuchToRead || error instanceof DamagedTags) return 'damaged';
    return error instanceof TooSlow ? 'too-slow' : 'unreadable';
  }
}

/** Expands bytes that zlib has compressed. Throws when they are damaged, or would have more than `maxOutputLength` bytes. */
export function inflate(data: Uint8Array, maxOutputLength: number): Uint8Array {
  return inflateSync(data, { maxOutputLength });
}

/** Converts a date. An instant becomes the local time of this computer, with its zone. */
function dateOf({ source, at, zone }: EmbeddedDate): RecordingDate {
  return typeof at === 'string' ? { source, at, zone } : { source, at: localIsoTime(at), zone: zoneOffset(at) };
}
