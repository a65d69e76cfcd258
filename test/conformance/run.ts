// `npm run conformance -- [service]`: tests whether a server implements the API, over plain HTTP.

import { writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { ALL_CASES } from './cases/all.ts';
import { type GeneratedClient, openGeneratedClient } from './http/generated-client.ts';
import { type Options, readOptions, USAGE } from './options.ts';
import type { Case } from './suite/case.ts';
import { countsOf, countsText, sectionTable, writeReports } from './suite/report.ts';
import { type CaseResult, runCases } from './suite/runner.ts';
import { SECTION_IDS, SECTIONS } from './suite/sections.ts';
import { selectCases } from './suite/select.ts';
import { openWorld, type World } from './world/world.ts';

const EXIT = { passed: 0, failed: 1, notStarted: 2, interrupted: 130 } as const;

process.exitCode = await main(process.argv.slice(2));

async function main(args: string[]): Promise<number> {
  let options: Options | 'help';
  try {
    options = readOptions(args);
  } catch (error) {
    console.error(`${textOf(error)}\n\n${USAGE}`);
    return EXIT.notStarted;
  }
  if (options === 'help') {
    console.log(USAGE);
    return EXIT.passed;
  }
  const cases = selectCases(ALL_CASES, options.only);
  if (cases.length === 0) {
    console.error(`No case is named ${options.only.join(', ')}. --list shows them.`);
    return EXIT.notStarted;
  }
  if (options.list) {
    listCases(cases);
    return EXIT.passed;
  }
  return run(options, cases);
}

function listCases(cases: readonly Case[]): void {
  for (const section of SECTION_IDS) {
    const own = cases.filter((each) => each.section === section);
    if (own.length === 0) continue;
    console.log(`${SECTIONS[section]} (${own.length})`);
    const width = Math.max(...own.map(({ id }) => id.length));
    for (const { id, name } of own) console.log(`  ${id.padEnd(width)}  ${name}`);
  }
  console.log(`${cases.length} cases`);
}

async function run(options: Options, cases: readonly Case[]): Promise<number> {
  const stop = new AbortController();
  // The first signal ends the current case and starts the cleanup; a second one kills the program.
  for (const signal of ['SIGINT', 'SIGTERM'] as const) {
    process.once(signal, () => {
      console.error('Stopping; what was made is being removed.');
      stop.abort();
    });
  }
  const startedAt = new Date();
  let world: World;
  let client: GeneratedClient | undefined;
  try {
    const { generatedClient, baseUrl } = options;
    client = generatedClient === null ? undefined : await openGeneratedClient(generatedClient, baseUrl);
    world = await openWorld(options, stop.signal, client);
  } catch (error) {
    console.error(`The suite could not sign in: ${textOf(error)}`);
    return EXIT.notStarted;
  }
  const printer = sectionPrinter(cases);
  const results = await runCases(cases, world, stop.signal, printer.add);
  printer.flush();
  const leftBehind = await world.cleanUp();
  for (const each of leftBehind) console.error(`left behind: ${each}`);
  if (options.out !== null) {
    await writeReports(options.out, results, {
      baseUrl: options.baseUrl,
      startedAt: startedAt.toISOString(),
      durationMs: Date.now() - startedAt.getTime(),
      leftBehind,
    });
    if (client) await writeFile(join(options.out, 'generated-client.json'), JSON.stringify(client.report, null, 2));
  }
  const counts = countsOf(results);
  console.log(countsText(counts));
  if (stop.signal.aborted) return EXIT.interrupted;
  return counts.failed > 0 || leftBehind.length > 0 ? EXIT.failed : EXIT.passed;
}

/** Prints the table of a section when its last case has ended; `flush` prints incomplete sections. */
function sectionPrinter(cases: readonly Case[]) {
  let waiting: CaseResult[] = [];
  let seen = 0;
  const flush = () => {
    const [first] = waiting;
    if (first) console.log(`${sectionTable(first.case.section, waiting)}\n`);
    waiting = [];
  };
  const add = (result: CaseResult) => {
    waiting.push(result);
    seen += 1;
    if (cases[seen]?.section !== result.case.section) flush();
  };
  return { add, flush };
}

function textOf(error: unknown): string {
  return error instanceof Error ? error.message : String(error);
}
