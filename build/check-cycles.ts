// Checks that no file imports itself through others, types included, so that every part can be understood without the parts that
// import it.
//
// node build/check-cycles.ts [ROOT]
import { resolve } from 'node:path';
import { CYCLE_EXCEPTIONS, type CycleException } from './checks/cycle-exceptions.ts';
import { type Cycle, closesCycle, importCycles } from './checks/import-cycles.ts';
import { type ImportArrow, readImportGraph } from './checks/import-graph.ts';

export interface CycleReport {
  files: number;
  cycles: readonly Cycle[];
  /** Exceptions without effect: without them there would be no cycle either. */
  stale: readonly CycleException[];
}

/** Checks the TypeScript files below `root`. */
export async function checkCycles(
  root: string,
  exceptions: readonly CycleException[] = CYCLE_EXCEPTIONS,
): Promise<CycleReport> {
  const { files, arrows } = await readImportGraph(root);
  const isExcused = (arrow: ImportArrow) => exceptions.some((each) => isSame(each, arrow));
  const rest = arrows.filter((arrow) => !isExcused(arrow));
  const isNeeded = (exception: CycleException) =>
    arrows.some((arrow) => isSame(exception, arrow) && closesCycle(arrow, rest));
  return {
    files: files.length,
    cycles: importCycles(rest),
    stale: exceptions.filter((exception) => !isNeeded(exception)),
  };
}

function isSame(exception: CycleException, arrow: ImportArrow): boolean {
  return exception.from === arrow.from && exception.to === arrow.to;
}

if (import.meta.main) {
  const { files, cycles, stale } = await checkCycles(resolve(process.argv[2] ?? '.'));
  for (const cycle of cycles) {
    console.error(
      ['a cycle of imports:', ...cycle.map(({ from, line, to }) => `${from}:${line} → ${to}`)].join('\n  '),
    );
  }
  for (const { from, to } of stale) {
    console.error(
      `build/checks/cycle-exceptions.ts excuses ${from} → ${to}, which closes no cycle any more: remove it`,
    );
  }
  console.log(`cycles: ${files} files, ${cycles.length} cycles, ${CYCLE_EXCEPTIONS.length} exceptions`);
  process.exitCode = cycles.length + stale.length > 0 ? 1 : 0;
}
