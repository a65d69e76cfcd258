import type { LateFileTools } from '../../companions/late-files.ts';
import type { ReadMediaFacts } from '../../media-tags/media-facts.ts';
import type { Files } from '../../ports/files.ts';

/** The dependencies of adding uploads. */
export interface AddTools extends LateFileTools {
  files: Files;
  /** Reads the tags and dates inside a local file, for its title. */
  mediaFacts: ReadMediaFacts;
}
