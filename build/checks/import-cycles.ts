// Finds import cycles in a graph of files.
import type { ImportArrow } from './import-graph.ts';
import type { Violation } from './layer-violations.ts';

/** Files that import each other in a cycle: each imports the next, and the last imports the first. */
export type Cycle = readonly ImportArrow[];

/** Returns a violation for each cycle, so that every part can be understood without the parts that import it. */
export function cycleViolations(arrows: readonly ImportArrow[]): Violation[] {
  return importCycles(arrows).map((cycle) => {
    const [{ from: file, line } = { from: '', line: 1 }] = cycle;
    const steps = cycle.map((arrow) => `${arrow.from}:${arrow.line} → ${arrow.to}`);
    return { file, line, message: ['begins a cycle of imports:', ...steps].join('\n  ') };
  });
}

/**
 * Returns one shortest cycle for each group of files that reach each other, sorted by path. Without that cycle, the same group
 * may still have others, which the next run reports.
 */
export function importCycles(arrows: readonly ImportArrow[]): Cycle[] {
  const next = byOrigin(arrows);
  const cycles: Cycle[] = [];
  const seen = new Set<string>();
  for (const file of [...next.keys()].sort()) {
    if (seen.has(file)) continue;
    const cycle = shortestCycle(next, file);
    if (!cycle) continue;
    cycles.push(cycle);
    for (const member of groupOf(next, file)) seen.add(member);
  }
  return cycles;
}

type Next = ReadonlyMap<string, readonly ImportArrow[]>;

function byOrigin(arrows: readonly ImportArrow[]): Next {
  const next = new Map<string, ImportArrow[]>();
  for (const arrow of arrows) {
    const known = next.get(arrow.from);
    if (known) known.push(arrow);
    else next.set(arrow.from, [arrow]);
  }
  return next;
}

/** Returns the shortest path from a file back to itself, by breadth-first search. */
function shortestCycle(next: Next, start: string): Cycle | undefined {
  const arrivals = new Map<string, ImportArrow>();
  const queue = [start];
  for (const file of queue) {
    for (const arrow of next.get(file) ?? []) {
      if (arrivals.has(arrow.to)) continue;
      arrivals.set(arrow.to, arrow);
      if (arrow.to === start) return wayTo(arrivals, start);
      queue.push(arrow.to);
    }
  }
  return undefined;
}

function wayTo(arrivals: ReadonlyMap<string, ImportArrow>, start: string): Cycle {
  const way: ImportArrow[] = [];
  for (let arrow = arrivals.get(start); arrow; arrow = arrow.from === start ? undefined : arrivals.get(arrow.from)) {
    way.unshift(arrow);
  }
  return way;
}

/** Returns the files that a file reaches and that reach it, including the file itself. */
function groupOf(next: Next, file: string): Set<string> {
  const back = byOrigin([...next.values()].flat().map(({ from, to, line }) => ({ from: to, to: from, line })));
  const before = reachedFrom(back, file);
  return new Set([...reachedFrom(next, file)].filter((each) => before.has(each)));
}

function reachedFrom(next: Next, start: string): Set<string> {
  const reached = new Set([start]);
  for (const file of reached) for (const { to } of next.get(file) ?? []) reached.add(to);
  return reached;
}
