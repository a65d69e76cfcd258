// npm run bench [-- --only NAME] [--quick] [--out FILE]: runs every scenario in a process of its own, prints a table of
// what was promised and what was measured, and writes the same as JSON. Fails only when a scenario breaks: a missed
// target is a finding, not an accident.
import { spawn } from 'node:child_process';
import { mkdirSync, readdirSync, writeFileSync } from 'node:fs';
import { cpus, loadavg, totalmem } from 'node:os';
import { dirname, join, resolve } from 'node:path';
import { parseArgs } from 'node:util';
import { type ScenarioReport, tableOf } from './report.ts';

const startedOn = new Date().toISOString();
const values = readOptions();
const folder = join(import.meta.dirname, 'scenarios');
const usual = scenariosIn('.');
/** Those that take an hour or many gigabytes run only when they are named. */
const large = scenariosIn('large');
const paths = new Map([...usual, ...large]);
const wanted = values.only ?? [...usual.keys()];
const unknown = wanted.filter((name) => !paths.has(name));
if (unknown.length > 0) {
  console.error(`There is no scenario ${unknown.join(', ')}. There are: ${[...paths.keys()].join(', ')}.`);
  process.exit(2);
}

const loadBefore = loadavg()[0];
const reports: ScenarioReport[] = [];
const broken: string[] = [];
for (const name of wanted) {
  console.error(`${name} …`);
  try {
    reports.push(await run(name));
  } catch (error) {
    broken.push(name);
    console.error(`${name} broke: ${error instanceof Error ? error.message : error}`);
  }
}

const out = resolve(values.out ?? join('out', 'bench', `${startedOn.replaceAll(':', '-').slice(0, 19)}.json`));
const machine = {
  processors: cpus().length,
  processor: cpus()[0]?.model.trim() ?? 'unknown',
  memoryBytes: totalmem(),
  system: `${process.platform} ${process.arch}`,
  node: process.version,
  /** The load of the last minute before the run: above zero, other programs used the computer as well. */
  loadBefore,
};
mkdirSync(dirname(out), { recursive: true });
writeFileSync(out, `${JSON.stringify({ startedOn, isQuick: values.quick, machine, reports, broken }, null, 2)}\n`);

for (const { scenario, about } of reports) console.log(`${scenario}: ${about}`);
console.log(`\n${tableOf(reports)}\n`);
const missed = reports.flatMap(({ rows }) => rows).filter(({ ok }) => ok === false).length;
console.log(missed === 0 ? 'Every target was met.' : `${missed} missed.`);
console.log(`Written to ${out}`);
process.exit(broken.length > 0 ? 1 : 0);

function readOptions() {
  try {
    return parseArgs({
      options: {
        only: { type: 'string', multiple: true },
        quick: { type: 'boolean', default: false },
        out: { type: 'string' },
      },
    }).values;
  } catch (error) {
    console.error(error instanceof Error ? error.message : error);
    console.error('usage: npm run bench -- [--only NAME]... [--quick] [--out FILE]');
    process.exit(2);
  }
}

/** Returns the paths of the scenarios in a folder, by their names. */
function scenariosIn(inner: string): Map<string, string> {
  const names = readdirSync(join(folder, inner)).filter((name) => name.endsWith('.ts'));
  return new Map(names.sort().map((name) => [name.slice(0, -3), join(folder, inner, name)]));
}

/** Runs a scenario to its end; its report is the last line that it prints. */
function run(name: string): Promise<ScenarioReport> {
  const args = [paths.get(name) ?? '', ...(values.quick ? ['--quick'] : [])];
  const child = spawn(process.execPath, args, { stdio: ['ignore', 'pipe', 'inherit'] });
  let said = '';
  child.stdout.on('data', (chunk: Buffer) => {
    said += chunk.toString();
  });
  return new Promise((done, fail) => {
    child.once('error', fail);
    child.once('close', (code) => {
      const last = said.trim().split('\n').at(-1) ?? '';
      if (code === 0 && last.startsWith('{')) done(JSON.parse(last) as ScenarioReport);
      else fail(new Error(`it ended with ${code} and said ${JSON.stringify(said.slice(-500))}`));
    });
  });
}
