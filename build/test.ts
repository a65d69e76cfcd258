// `npm test`: all checks and tests, in stages; the parts of a stage run at the same time. Tests of the window run alone: beside
// other tests they take longer than after them, and their time limits are those of a computer that is not busy.
import { spawn } from 'node:child_process';
import { join, resolve } from 'node:path';
import { createInterface } from 'node:readline';
import { type Failure, FailureReader, isCounterexample } from './failed-tests.ts';
import { REPEAT, TEST_SEED } from './test-seed.ts';

/** A command that runs beside the others of its stage. */
export interface Part {
  name: string;
  command: string;
  args: readonly string[];
  /**
   * Test files that failed run once more, alone, with these arguments and their paths. On a computer that others use, a window or
   * a server can miss a time limit; a fault fails again. The results name each test that passed only alone. The repetition has the
   * same seed, and a counterexample of a random test counts as failed, whatever the repetition says.
   */
  again?: readonly string[];
}

export interface Stage {
  parts: readonly Part[];
  /** The later stages run even when a part of this one failed. */
  continues?: boolean;
}

interface Result {
  name: string;
  passed: boolean;
  seconds: number;
  /** The tests that vitest reported as failed, and errors outside of tests, each once. */
  failures: Failure[];
  /** The files of the failed tests passed when they ran alone. */
  passedAlone?: boolean;
}

/** More failed files than these are not run again: that many don't fail by chance. */
const MOST_AGAIN = 8;

const root = resolve(import.meta.dirname, '..');
const bin = (name: string) => join(root, 'node_modules', '.bin', name);
const node = (name: string) => ({ command: process.execPath, args: [join(root, 'build', name)] });

const E2E = ['run', '--config', 'vitest.e2e.config.ts'];
const stages: readonly Stage[] = [
  { parts: [{ name: 'machine', ...node('prepare.ts') }] },
  {
    parts: [
      { name: 'check', ...node('check.ts') },
      { name: 'build', command: bin('electron-vite'), args: ['build'] },
    ],
  },
  {
    parts: [{ name: 'tests', command: bin('vitest'), args: ['run'], again: ['run', '--maxWorkers=1'] }],
    continues: true,
  },
  { parts: [{ name: 'e2e', command: bin('vitest'), args: E2E, again: [...E2E, '--maxWorkers=1'] }] },
];

/**
 * Runs the stages in order. The parts of a stage run at the same time, each to its end; after a stage with a failed part no
 * further stage starts, unless the stage `continues`. Each line of output begins with the name of its part. Returns the results
 * of the parts that ran.
 */
export async function runStages(order: readonly Stage[], say: (line: string) => void = console.log): Promise<Result[]> {
  const width = Math.max(...order.flatMap(({ parts }) => parts.map(({ name }) => name.length)));
  const results: Result[] = [];
  for (const { parts, continues } of order) {
    const ended = await Promise.all(
      parts.map((part) => runAgain(part, (line) => say(`${part.name.padEnd(width)} | ${line}`))),
    );
    results.push(...ended);
    if (!continues && ended.some(({ passed }) => !passed)) break;
  }
  return results;
}

async function runAgain(part: Part, say: (line: string) => void): Promise<Result> {
  const first = await runPart(part, say);
  const files = [...new Set(first.failures.map(fileOf))];
  const areAllNamed = files.length > 0 && files.length <= MOST_AGAIN && files.every((file) => file !== null);
  if (first.passed || part.again === undefined || !areAllNamed) return first;
  say(`Once more, alone: ${files.join(', ')}`);
  const second = await runPart({ ...part, args: [...part.again, ...files] }, say);
  const passed = second.passed && !first.failures.some(isCounterexample);
  return { ...first, passed, seconds: first.seconds + second.seconds, passedAlone: passed };
}

/** The path in a line such as `FAIL unit test/a.test.ts > name`; null: an error outside of tests. */
function fileOf({ title }: Failure): string | null {
  return title.split(' ').find((word) => word.startsWith('test/') && word.endsWith('.test.ts')) ?? null;
}

function runPart({ name, command, args }: Part, say: (line: string) => void): Promise<Result> {
  const startedAt = performance.now();
  const readers: FailureReader[] = [];
  return new Promise((done, fail) => {
    const child = spawn(command, args, { cwd: root, stdio: ['ignore', 'pipe', 'pipe'] });
    for (const output of [child.stdout, child.stderr]) {
      const reader = new FailureReader();
      readers.push(reader);
      createInterface({ input: output }).on('line', (line) => {
        say(line);
        reader.read(line);
      });
    }
    child.once('error', fail);
    child.once('close', (code) => {
      const seconds = (performance.now() - startedAt) / 1000;
      done({ name, passed: code === 0, seconds, failures: readers.flatMap(({ failures }) => failures) });
    });
  });
}

if (import.meta.main) {
  // test/helpers/test-extent.ts reads it, in the processes of the parts.
  if (process.argv.includes('--long')) process.env.MEDIADESK_LONG_TESTS = '1';
  process.env.MEDIADESK_NPM_TEST = '1';
  console.log(`Seed of random tests: ${TEST_SEED}. Repeat: ${REPEAT}`);
  const startedAt = performance.now();
  const results = await runStages(stages);
  for (const { name, passed, seconds, failures, passedAlone = false } of results) {
    for (const { title, details } of failures) {
      console.log(passedAlone ? `passed only alone: ${title}` : title);
      for (const line of details) console.log(`    ${line}`);
    }
    console.log(`${passed ? 'ok    ' : 'FAILED'} ${name} (${seconds.toFixed(0)} s)`);
  }
  console.log(`npm test: ${((performance.now() - startedAt) / 1000).toFixed(0)} s`);
  process.exitCode = results.every(({ passed }) => passed) ? 0 : 1;
}
