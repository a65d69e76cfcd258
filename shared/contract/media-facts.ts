import { z } from 'zod';
import { MOST_MEDIA_FACTS } from '../model/recipes/local-file-facts.ts';
import { DATE_SOURCES } from '../model/recipes/recording-date.ts';

/** The facts of a local file that patterns can use in addition to its name. */
const mediaFactsSchema = z.object({
  path: z.string(),
  /** When it was changed, `YYYY-MM-DDTHH:mm:ss` in the zone of this computer; null when that is unknown. */
  changed: z.string().nullable(),
  recorded: z.object({ at: z.string(), zone: z.string().nullable(), source: z.enum(DATE_SOURCES) }).nullable(),
  /** Tags inside the file by their names in patterns, such as `artist` for `{tag.artist}`. */
  mediaTags: z.record(z.string(), z.string()),
  /**
   * Why the contents are unknown; null when they are known, also when there are no tags. `damaged`: the tags can't be parsed.
   * `too-slow`: parsing them took too long. `failed`: the parser failed. `unreadable`: the file can't be read. `in-cloud`: reading it
   * would download it, which a preview does not do.
   */
  problem: z.enum(['damaged', 'too-slow', 'failed', 'unreadable', 'in-cloud']).nullable(),
});
export type MediaFacts = z.output<typeof mediaFactsSchema>;

export const MEDIA_FACTS_CALLS = {
  /**
   * Reads the facts of local files, in the order of `paths`, which are absolute; fewer when `mediaFacts.end` ends the call.
   * `roots`: the files and folders that the user chose; no link below them is followed. A path that is not below one of them must
   * not be a link itself.
   */
  'mediaFacts.read': {
    input: z.object({
      paths: z.array(z.string().min(1)).min(1).max(MOST_MEDIA_FACTS),
      roots: z.array(z.string().min(1)).optional(),
    }),
    output: z.array(mediaFactsSchema),
  },
  /** Ends running `mediaFacts.read` calls. */
  'mediaFacts.end': { input: z.null(), output: z.null() },
} as const;
