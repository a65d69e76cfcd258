import { basename } from 'node:path';
import type { MediaFacts } from '../../../shared/contract/media-facts.ts';
import { localTime, zoneOffset } from '../../../shared/model/local-day.ts';
import { type RecordingDate, recordingDate } from '../../../shared/model/recipes/recording-date.ts';
import { splitFileName } from '../../../shared/model/title-template.ts';
import { shownName } from '../ports/byte-paths.ts';
import type { Files } from '../ports/files.ts';
import { BoundedBytes, TooMuchToRead } from '../watch/readiness/containers/bounded-bytes.ts';
import { readFully } from '../watch/readiness/inspect.ts';
import { CUT_LIMITS, cutMedia } from './cut-media.ts';
import type { EmbeddedDate, EmbeddedTags } from './read-cut.ts';
import type { TagParser, TagProblem } from './tag-thread.ts';

export interface MediaFactsTools {
  files: Files;
  tags: TagParser;
}

const NOTHING: EmbeddedTags = { tags: {}, dates: [] };

/**
 * Returns what patterns can use of a local file beside its name: the tags inside it, when it was recorded, and when it was
 * changed. A file that can't be read or parsed has a problem, and the values that are known without its contents.
 */
export async function readMediaFacts(path: string, tools: MediaFactsTools): Promise<MediaFacts> {
  const { stem } = splitFileName(shownName(basename(path)));
  let changed: string | null = null;
  const facts = (found: EmbeddedTags, problem: MediaFacts['problem']): MediaFacts => ({
    ...{ path, changed, problem, mediaTags: found.tags },
    recorded: recordingDate(found.dates.map(dateOf), stem, changed),
  });
  try {
    changed = localTime((await tools.files.facts(path)).mtimeMs);
    const found = await readTags(path, tools);
    return typeof found === 'string' ? facts(NOTHING, found) : facts(found, null);
  } catch {
    // Adding the file reports the reason in full.
    return facts(NOTHING, 'unreadable');
  }
}

/** Returns the tags of a file, or why there are none. Throws what reading throws. */
async function readTags(path: string, { files, tags }: MediaFactsTools): Promise<EmbeddedTags | TagProblem> {
  const file = await files.open(path);
  try {
    const { sizeBytes } = await file.facts();
    const cut = await cutMedia(
      new BoundedBytes(sizeBytes, (position, length) => readFully(file, position, length), CUT_LIMITS),
    );
    return cut === null ? NOTHING : await tags.parse(cut);
  } catch (error) {
    if (error instanceof TooMuchToRead) return 'damaged';
    throw error;
  } finally {
    await file.close();
  }
}

/** An instant becomes the local time of this computer, with its zone. */
function dateOf({ source, at, zone }: EmbeddedDate): RecordingDate {
  return typeof at === 'string' ? { source, at, zone } : { source, at: localTime(at), zone: zoneOffset(at) };
}
