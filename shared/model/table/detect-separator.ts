import { DelimitedReader, SEPARATORS, type Separator } from './delimited-reader.ts';
import { TABLE_LIMITS, TableError } from './table-error.ts';

/** The evidence for a separator. `declared`: a first line such as `sep=;`. `single`: there is only one column. */
export const SEPARATOR_EVIDENCE = ['declared', 'header', 'single', 'chosen'] as const;
export type SeparatorEvidence = (typeof SEPARATOR_EVIDENCE)[number];

export interface DetectedSeparator {
  separator: Separator;
  evidence: SeparatorEvidence;
  /** The number of characters at the beginning that only declare the separator. */
  skip: number;
}

/**
 * Detects the separator from the beginning of a text: the separator that finds most known names in the header, otherwise the only
 * one that splits the header. `isKnown`: returns whether a header names a known column. Throws `separator-unclear` when two are
 * equally probable; a chosen separator always has precedence.
 */
export function detectSeparator(
  head: string,
  isKnown: (header: string) => boolean,
  chosen: Separator | null = null,
): DetectedSeparator {
  const declared = /^sep=([,;\t])(?:\r\n|\r|\n|$)/.exec(head);
  const skip = declared?.[0].length ?? 0;
  if (chosen !== null) return { separator: chosen, evidence: 'chosen', skip };
  if (declared !== null) return { separator: declared[1] as Separator, evidence: 'declared', skip };
  const tried = SEPARATORS.map((separator) => {
    const cells = headerOf(head, separator);
    return { separator, cells: cells.length, known: cells.filter(isKnown).length };
  }).filter(({ cells }) => cells > 1);
  const [best, second] = tried.sort((one, other) => other.known - one.known || other.cells - one.cells);
  if (best === undefined) return { separator: ',', evidence: 'single', skip };
  if (second !== undefined && second.known === best.known && (best.known === 0 || second.cells === best.cells)) {
    throw new TableError('separator-unclear', { row: 1, column: null, line: 1 });
  }
  return { separator: best.separator, evidence: 'header', skip };
}

/** Returns the cells of the first row; none when it can't be read with this separator. */
function headerOf(head: string, separator: Separator): string[] {
  let header: string[] | null = null;
  const reader = new DelimitedReader(separator, ({ cells }) => {
    header ??= cells;
  });
  try {
    for (let at = 0; at < head.length && header === null; at += 256) reader.push(head.slice(at, at + 256));
    if (header === null && head.length < TABLE_LIMITS.cellChars) reader.end();
  } catch (error) {
    if (!(error instanceof TableError)) throw error;
  }
  return header ?? [];
}
