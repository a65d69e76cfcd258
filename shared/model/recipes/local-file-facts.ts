import { splitFileName } from '../title-template.ts';
import type { RecipeFacts } from './recipe.ts';
import type { RecordingDate } from './recording-date.ts';

/** The maximum number of files in one request for their contents: each may need some reads of a slow disk. */
export const MOST_MEDIA_FACTS = 50;

/** A local file in a list of files to add. */
interface LocalFile {
  path: string;
  fileName: string;
  /** The day it was changed, `YYYY-MM-DD`; null when that is unknown. */
  date: string | null;
}

/** The facts that were read inside the file. */
interface Contents {
  changed: string | null;
  recorded: RecordingDate | null;
  mediaTags: Readonly<Record<string, string>>;
}

/**
 * Returns the facts of a local file for a recipe. `number`: 1 for the first one. `contents`: undefined when they are not read.
 */
export function localFileFacts(
  { path, fileName, date }: LocalFile,
  number: number,
  contents: Contents | undefined,
  current: RecipeFacts['current'],
): RecipeFacts {
  return {
    ...splitFileName(fileName),
    folders: path.split(/[\\/]/).slice(0, -1),
    number,
    changed: contents?.changed ?? date,
    recorded: contents?.recorded ?? null,
    mediaTags: contents?.mediaTags ?? {},
    current,
  };
}
