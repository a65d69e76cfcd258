// Keeps files readable: files over 300 lines are listed, files over 500 lines are an error.
//
// node build/check-sizes.ts [ROOT]
import { readFile } from 'node:fs/promises';
import { join, resolve } from 'node:path';
import { sourceFiles } from './checks/source-files.ts';

const SOFT_LIMIT = 300;
const HARD_LIMIT = 500;

export interface SizeReport {
  files: number;
  /** Files over the soft limit, longest first. */
  long: readonly { file: string; lines: number; tooLong: boolean }[];
}

/** Counts the lines of every source and style file below `root`. A line break at the end starts no further line. */
export async function checkSizes(root: string): Promise<SizeReport> {
  const files = await sourceFiles(root, ['.ts', '.tsx', '.css']);
  const long: { file: string; lines: number; tooLong: boolean }[] = [];
  for (const file of files) {
    const text = await readFile(join(root, file), 'utf8');
    const lines = text.split('\n').length - (text.endsWith('\n') ? 1 : 0);
    if (lines > SOFT_LIMIT) long.push({ file, lines, tooLong: lines > HARD_LIMIT });
  }
  return { files: files.length, long: long.sort((a, b) => b.lines - a.lines) };
}

if (import.meta.main) {
  const { files, long } = await checkSizes(resolve(process.argv[2] ?? '.'));
  for (const { file, lines, tooLong } of long) console.error(`${tooLong ? 'ERROR' : 'long '} ${lines}  ${file}`);
  const tooLong = long.filter((each) => each.tooLong).length;
  console.log(
    `sizes: ${files} files, ${long.length - tooLong} over ${SOFT_LIMIT} lines, ${tooLong} over ${HARD_LIMIT}`,
  );
  process.exitCode = tooLong > 0 ? 1 : 0;
}
