// Runs in a Node on Windows: `node --import ./as-vitest.mjs main.ts RESULTS FILE…`. Writes each result as a line of JSON.
import { appendFileSync } from 'node:fs';
import { resolve } from 'node:path';
import { pathToFileURL } from 'node:url';
import { runFile, type TestResult } from './run-tests.ts';
import { collect } from './vitest-functions.ts';

const [results = '', ...files] = process.argv.slice(2);
const report = (file: string) => (result: TestResult) =>
  appendFileSync(results, `${JSON.stringify({ file, ...result })}\n`);

process.on('unhandledRejection', (error) => {
  report('')({
    name: 'an unhandled rejection',
    state: 'failed',
    ms: 0,
    message: String((error as Error)?.stack ?? error),
  });
});

for (const file of files) {
  try {
    const suite = await collect('', () => import(pathToFileURL(resolve(file)).href));
    await runFile(suite, report(file));
  } catch (error) {
    report(file)({ name: 'loading', state: 'failed', ms: 0, message: String((error as Error)?.stack ?? error) });
  }
}
// Handles that tests left open don't keep the process.
process.exit(0);
