// `npm test`: all checks and tests, in stages; the parts of a stage run at the same time. The window's tests have the computer for
// themselves: beside the other tests they take longer than after them, and their time limits are those of a computer with time.
import { spawn } from 'node:child_process';
import { join, resolve } from 'node:path';
import { createInterface } from 'node:readline';
import { stripVTControlCharacters } from 'node:util';

/** A command that runs beside the others of its stage. */
export interface Part {
  name: string;
  command: string;
  args: readonly string[];
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
  /** The tests that vitest reported as failed, each once. */
  failures: string[];
}

const root = resolve(import.meta.dirname, '..');
const bin = (name: string) => join(root, 'node_modules', '.bin', name);
const node = (name: string) => ({ command: process.execPath, args: [join(root, 'build', name)] });

const stages: readonly Stage[] = [
  { parts: [{ name: 'machine', ...node('prepare.ts') }] },
  {
    parts: [
      { name: 'check', ...node('check.ts') },
      { name: 'build', command: bin('electron-vite'), args: ['build'] },
    ],
  },
  { parts: [{ name: 'tests', command: bin('vitest'), args: ['run'] }], continues: true },
  { parts: [{ name: 'e2e', command: bin('vitest'), args: ['run', '--config', 'vitest.e2e.config.ts'] }] },
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
      parts.map((part) => runPart(part, (line) => say(`${part.name.padEnd(width)} | ${line}`))),
    );
    results.push(...ended);
    if (!continues && ended.some(({ passed }) => !passed)) break;
  }
  return results;
}

function runPart({ name, command, args }: Part, say: (line: string) => void): Promise<Result> {
  const startedAt = performance.now();
  const failures = new Set<string>();
  const read = (line: string) => {
    say(line);
    const plain = stripVTControlCharacters(line).trim();
    if (plain.startsWith('FAIL ')) failures.add(plain.replace(/ +/g, ' '));
  };
  return new Promise((done, fail) => {
    const child = spawn(command, args, { cwd: root, stdio: ['ignore', 'pipe', 'pipe'] });
    for (const output of [child.stdout, child.stderr]) createInterface({ input: output }).on('line', read);
    child.once('error', fail);
    child.once('close', (code) => {
      const seconds = (performance.now() - startedAt) / 1000;
      done({ name, passed: code === 0, seconds, failures: [...failures] });
    });
  });
}

if (import.meta.main) {
  const startedAt = performance.now();
  const results = await runStages(stages);
  for (const { name, passed, seconds, failures } of results) {
    for (const failure of failures) console.log(failure);
    console.log(`${passed ? 'ok    ' : 'FAILED'} ${name} (${seconds.toFixed(0)} s)`);
  }
  console.log(`npm test: ${((performance.now() - startedAt) / 1000).toFixed(0)} s`);
  process.exitCode = results.every(({ passed }) => passed) ? 0 : 1;
}
