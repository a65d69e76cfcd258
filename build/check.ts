// `npm run check`: all checks that do not run the program. All failures are shown, not only the first.
import { availableParallelism } from 'node:os';
import { join, resolve } from 'node:path';
import { run } from './processes.ts';

interface Check {
  name: string;
  command: string;
  args: string[];
}

const root = resolve(import.meta.dirname, '..');
const bin = (name: string) => join(root, 'node_modules', '.bin', name);
const script = (name: string) => join(root, 'build', name);

/** Stores its results, and later checks only the files that a change can affect: checking all of them takes half a minute. */
const types = (name: string, project: string): Check => {
  const kept = join(root, '.cache', 'types', `${name}.tsbuildinfo`);
  return { name, command: bin('tsc'), args: ['-p', project, '--incremental', '--tsBuildInfoFile', kept] };
};

/** The longest checks come first, so that the short ones fill the remaining time. */
export const checks: readonly Check[] = [
  { name: 'patterns', command: process.execPath, args: [script('check-patterns.ts'), root] },
  types('types', '.'),
  // Without Node and DOM types, so that shared code can't depend on either, nor the screens on Node.
  types('types of shared', 'shared'),
  types('types of renderer', 'renderer'),
  { name: 'format and lint', command: bin('biome'), args: ['check', '--error-on-warnings'] },
  { name: 'unused', command: bin('knip'), args: ['--treat-config-hints-as-errors', '--include-entry-exports'] },
  { name: 'layers', command: process.execPath, args: [script('check-layers.ts'), root] },
  { name: 'terminal', command: process.execPath, args: [script('check-terminal.ts'), root] },
  { name: 'texts', command: process.execPath, args: [script('check-texts.ts'), root] },
  { name: 'pictures', command: process.execPath, args: [script('check-pictures.ts'), root] },
  { name: 'sizes', command: process.execPath, args: [script('check-sizes.ts'), root] },
];

/** Runs one check and prints its result, with its output when the check failed or prints a summary. */
async function runCheck({ name, command, args }: Check): Promise<boolean> {
  const startedAt = performance.now();
  const { code, stdout, stderr } = await run(command, args, { cwd: root });
  const seconds = ((performance.now() - startedAt) / 1000).toFixed(1);
  console.log(`${code === 0 ? 'ok    ' : 'FAILED'} ${name} (${seconds} s)`);
  const output = `${stdout}${stderr}`.trim();
  if (
    output !== '' &&
    (code !== 0 || ['sizes', 'layers', 'patterns', 'pictures', 'terminal', 'texts'].includes(name))
  ) {
    console.log(output.replace(/^/gm, '       '));
  }
  return code === 0;
}

/** Runs all checks, a few at a time. */
async function runAll(): Promise<boolean[]> {
  const waiting = [...checks];
  const results: boolean[] = [];
  const worker = async () => {
    for (let next = waiting.shift(); next; next = waiting.shift()) results.push(await runCheck(next));
  };
  await Promise.all(Array.from({ length: Math.min(4, availableParallelism()) }, worker));
  return results;
}

if (import.meta.main) {
  const results = await runAll();
  const failed = results.filter((passed) => !passed).length;
  console.log(`check: ${results.length - failed} of ${results.length} passed`);
  process.exitCode = failed > 0 ? 1 : 0;
}
