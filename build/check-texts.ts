// Checks that every text of the window is in a module of texts, so that it can be found, reviewed and translated.
//
// node build/check-texts.ts [ROOT]
import { readFile } from 'node:fs/promises';
import { join, resolve } from 'node:path';
import { sourceFiles } from './checks/source-files.ts';
import { isTextModule, type TextViolation, textViolations } from './checks/text-violations.ts';

type FileViolation = TextViolation & { file: string };

/** Folders whose texts are being moved. A folder without violations must leave this list, or the check fails. */
const MOVING: readonly string[] = [];

/** Checks the TypeScript files of the window below `root`, except those in the folders `moving`. */
export async function checkTexts(
  root: string,
  moving: readonly string[] = [],
): Promise<{ files: number; violations: FileViolation[]; moved: string[] }> {
  const all = await sourceFiles(root, ['.ts', '.tsx']);
  const files = all.filter((file) => file.startsWith('renderer/') && !isTextModule(file));
  const violations: FileViolation[] = [];
  for (const file of files) {
    const source = await readFile(join(root, file), 'utf8');
    violations.push(...textViolations(file, source).map((violation) => ({ file, ...violation })));
  }
  const isIn = (folder: string) => violations.some(({ file }) => file.startsWith(folder));
  return {
    files: files.length,
    violations: violations.filter(({ file }) => !moving.some((folder) => file.startsWith(folder))),
    moved: moving.filter((folder) => !isIn(folder)),
  };
}

if (import.meta.main) {
  const { files, violations, moved } = await checkTexts(resolve(process.argv[2] ?? '.'), MOVING);
  for (const { file, line, text } of violations) console.error(`${file}:${line}  text outside of texts.ts: ${text}`);
  for (const folder of moved) console.error(`build/check-texts.ts: MOVING need not name ${folder} any more`);
  console.log(`texts: ${files} files, ${violations.length} violations`);
  process.exitCode = violations.length > 0 || moved.length > 0 ? 1 : 0;
}
