// Checks that no regular expression takes more than linear time: a text that was made for it must not block the program.
//
// node build/check-patterns.ts [ROOT]
import { readFile } from 'node:fs/promises';
import { join, resolve } from 'node:path';
import { check, type Diagnostics } from 'recheck';
import { readPatterns } from './checks/pattern-facts.ts';
import { sourceFiles } from './checks/source-files.ts';

/** The checked files: programs for users and operators, and the code that builds them. Tests read only their own texts. */
const isChecked = (file: string) => !file.startsWith('test/');

/** The files in which a pattern may be created at run time, each with the reason why that is safe. */
const MADE_AT_RUN_TIME: Readonly<Record<string, string>> = {
  'build/check-patterns.ts': 'a pattern that is judged here',
  'service/lab/faults.ts': 'written by a test, through the control port or the configuration',
};

/** The maximum time in milliseconds for one pattern; a pattern that takes longer is too complicated. */
const LIMIT_MS = 30_000;

export interface PatternViolation {
  file: string;
  line: number;
  message: string;
}

/** Checks every regular expression of the TypeScript files below `root`. */
export async function checkPatterns(root: string): Promise<{ patterns: number; violations: PatternViolation[] }> {
  const files = (await sourceFiles(root, ['.ts', '.tsx', '.mjs'])).filter(isChecked);
  const judged = new Map<string, Promise<string | null>>();
  const violations: PatternViolation[] = [];
  for (const file of files) {
    for (const { source, flags, line } of readPatterns(file, await readFile(join(root, file), 'utf8'))) {
      if (source === null) {
        if (MADE_AT_RUN_TIME[file] === undefined) {
          violations.push({ file, line, message: 'a pattern that is made at run time can not be checked' });
        }
        continue;
      }
      const key = `/${source}/${flags}`;
      const judgment = judged.get(key) ?? judge(source, flags);
      judged.set(key, judgment);
      const fault = await judgment;
      if (fault !== null) violations.push({ file, line, message: `${key} ${fault}` });
    }
  }
  return { patterns: judged.size, violations };
}

async function judge(source: string, flags: string): Promise<string | null> {
  const found = await check(source, flags, { timeout: LIMIT_MS });
  if (found.status === 'safe') return null;
  if (found.status !== 'vulnerable') return `could not be judged (${found.error.kind}): write it more simply`;
  const { attack, checker, complexity } = found;
  // Such an attack is timed once: on a busy computer, a harmless one looks quadratic.
  if (
    checker === 'fuzz' &&
    complexity.type === 'polynomial' &&
    complexity.degree === 2 &&
    !growsFasterThanText(new RegExp(source, flags), attack)
  ) {
    return null;
  }
  return `takes ${complexity.summary} time, for example for ${attack.pattern}`;
}

const FEW_REPEATS = 2000;
const MANY_REPEATS = 4 * FEW_REPEATS;
/** A text of four times the length takes 4 times as long at a linear pattern, and 16 times at a quadratic one. */
const LINEAR_AT_MOST = 8;
const RUNS = 7;

type Attack = Pick<Extract<Diagnostics, { status: 'vulnerable' }>['attack'], 'pumps' | 'suffix'>;

/** Compares the shortest of several runs each, which no other program lengthens. */
function growsFasterThanText(pattern: RegExp, attack: Attack): boolean {
  const shortest = (repeats: number): number => {
    const text = `${attack.pumps.map(({ prefix, pump }) => prefix + pump.repeat(repeats)).join('')}${attack.suffix}`;
    const times = Array.from({ length: RUNS }, () => {
      pattern.lastIndex = 0;
      const began = performance.now();
      pattern.test(text);
      return performance.now() - began;
    });
    return Math.min(...times);
  };
  shortest(FEW_REPEATS);
  return shortest(MANY_REPEATS) > LINEAR_AT_MOST * Math.max(shortest(FEW_REPEATS), 0.01);
}

if (import.meta.main) {
  const { patterns, violations } = await checkPatterns(resolve(process.argv[2] ?? '.'));
  for (const { file, line, message } of violations) console.error(`${file}:${line}  ${message}`);
  console.log(`patterns: ${patterns} regular expressions, ${violations.length} violations`);
  process.exitCode = violations.length > 0 ? 1 : 0;
}
