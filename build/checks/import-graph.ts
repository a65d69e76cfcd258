// Which of our files imports which, types included.
import { readFile } from 'node:fs/promises';
import { join, posix } from 'node:path';
import { readFacts, type SourceFacts } from './source-facts.ts';
import { sourceFiles } from './source-files.ts';

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

/** Reads the imports between the TypeScript files below `root`. An import of a style, a package or Node is no arrow. */
export async function readImportGraph(root: string): Promise<ImportGraph> {
  const files = await sourceFiles(root, ['.ts', '.tsx']);
  const known = new Set(files);
  const arrows: ImportArrow[] = [];
  for (const file of files) {
    const facts = readFacts(file, await readFile(join(root, file), 'utf8'));
    arrows.push(...arrowsOf(file, facts).filter(({ to }) => known.has(to)));
  }
  return { files, arrows };
}

/** Returns the files that one file imports, whether they exist or not. A suffix such as `?worker` is removed. */
export function arrowsOf(from: string, { imports }: SourceFacts): ImportArrow[] {
  return imports.flatMap(({ specifier, line }) => {
    if (!specifier?.startsWith('.')) return [];
    return [{ from, to: posix.normalize(posix.join(posix.dirname(from), specifier.split('?', 1)[0] ?? '')), line }];
  });
}
