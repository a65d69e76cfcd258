// Which of our files imports which, types included.
import { posix } from 'node:path';
import type { SourceFacts } from './source-facts.ts';

/** One file imports another. Paths start at the repository's root and have forward slashes. */
export interface ImportArrow {
  from: string;
  to: string;
  line: number;
}

export interface ImportGraph {
  files: readonly string[];
  arrows: readonly ImportArrow[];
}

/** Returns the files that one file imports, whether they exist or not; no packages. A suffix such as `?worker` is removed. */
export function arrowsOf(from: string, { imports }: SourceFacts): ImportArrow[] {
  return imports.flatMap(({ specifier, line }) => {
    if (!specifier?.startsWith('.')) return [];
    return [{ from, to: posix.normalize(posix.join(posix.dirname(from), specifier.split('?', 1)[0] ?? '')), line }];
  });
}
