// `npm run test:windows -- [PATH…]`: runs tests of the engine and of the command line in a Node for Windows, on Wine. Without Wine
// it says so and ends with 0.
import { once } from 'node:events';
import { existsSync, globSync, mkdirSync, readFileSync, rmSync, statSync } from 'node:fs';
import { join, resolve } from 'node:path';
import { setup as bundlePrograms } from '../bundle-programs.ts';
import { BUNDLES } from '../helpers/system/programs.ts';
import { LEFT_OUT, LIMITS, SERVICE_FILES, SHARED_FILES } from './files.ts';
import { INSTALLER, makeInstaller } from './installer.ts';
import type { TestResult } from './run-tests.ts';
import { prepareWine, type Wine, windowsPath } from './wine.ts';

type Result = TestResult & { file: string };

const ROOT = resolve(import.meta.dirname, '../..');
const OUTPUT = join(ROOT, '.cache', 'windows', 'results');
/** One part is ended after this time. */
const LONGEST_MS = 20 * 60_000;

const say = (line: string) => console.log(line);

function filesOf(path: string): string[] {
  if (!statSync(join(ROOT, path)).isDirectory()) return [path];
  return globSync('**/*.test.ts', { cwd: join(ROOT, path) })
    .map((name) => `${path.replace(/\/$/, '')}/${name}`)
    .sort();
}

/** Runs test files in one process, in order. */
async function runPart(
  wine: Wine,
  part: string,
  files: readonly string[],
  installer: string | null,
): Promise<Result[]> {
  const results = join(OUTPUT, `${part}.jsonl`);
  const output = join(OUTPUT, `${part}.log`);
  const program = ['--import', './test/windows/as-vitest.mjs', 'test/windows/main.ts'];
  const child = wine.start([...program, windowsPath(results), ...files], output, {
    [BUNDLES]: windowsPath(process.env[BUNDLES] ?? ''),
    ...(installer === null ? {} : { [INSTALLER]: installer }),
  });
  const timer = setTimeout(() => child.kill('SIGKILL'), LONGEST_MS);
  const [code] = (await once(child, 'exit')) as [number | null];
  clearTimeout(timer);
  const lines = existsSync(results) ? readFileSync(results, 'utf8').split('\n') : [];
  const found = lines.filter((line) => line !== '').map((line) => JSON.parse(line) as Result);
  if (code === 0) return found;
  const last = found.at(-1);
  const message = `Ended with ${code} after “${last?.file} ${last?.name}”:\n${readFileSync(output, 'utf8').slice(-3000)}`;
  return [...found, { file: part, name: 'the process', state: 'failed', ms: 0, message }];
}

/** The reason why a test can't pass here; undefined for most. */
const limitOf = ({ file, name }: Result) =>
  LIMITS.find((limit) => file.endsWith(limit.file) && name.includes(limit.name))?.reason;

function report(results: readonly Result[]): boolean {
  const of = (state: Result['state']) => results.filter((result) => result.state === state);
  const failed = of('failed').filter((result) => limitOf(result) === undefined);
  const limited = of('failed').filter((result) => limitOf(result) !== undefined);
  for (const { file, name, message } of failed) say(`\nFAILED ${file}${name}\n${message?.replace(/^/gm, '    ')}`);
  const skipped = of('skipped');
  say(
    `\n${of('passed').length} passed, ${failed.length} failed, ${skipped.length} skipped, ${limited.length} can’t be shown`,
  );
  const reasons = Map.groupBy(limited, (result) => limitOf(result) ?? '');
  for (const [reason, which] of reasons) say(`  can’t be shown (${which.length}): ${reason}`);
  for (const { file, name } of LIMITS) {
    const which = results.filter((result) => result.file.endsWith(file) && result.name.includes(name));
    if (which.length > 0 && which.every(({ state }) => state === 'passed'))
      say(`  no longer a limit: ${file}, “${name}”`);
  }
  for (const { name, message } of skipped) if (message) say(`  skipped: ${name.replace(/^ > /, '')}: ${message}`);
  return failed.length === 0 && results.length > 0;
}

const startedAt = performance.now();
const wine = await prepareWine(say);
if (wine === null) {
  say('Skipped: Wine is not installed (Debian: apt-get install wine wine64).');
} else {
  rmSync(OUTPUT, { recursive: true, force: true });
  mkdirSync(OUTPUT, { recursive: true });
  await bundlePrograms();
  const installer = await makeInstaller(OUTPUT);
  if (installer === null) say('NSIS is not installed (Debian: nsis): what the installer registers is not tested.');
  const chosen = process.argv.slice(2);
  const parts =
    chosen.length > 0
      ? { chosen: chosen.flatMap(filesOf) }
      : {
          shared: SHARED_FILES.flatMap(filesOf).filter((file) => !(file in LEFT_OUT)),
          service: SERVICE_FILES.flatMap(filesOf),
        };
  const results = await Promise.all(
    Object.entries(parts).map(([part, files]) => runPart(wine, part, files, installer)),
  );
  await wine.stop();
  process.exitCode = report(results.flat()) ? 0 : 1;
}
say(`test:windows: ${((performance.now() - startedAt) / 1000).toFixed(0)} s`);
