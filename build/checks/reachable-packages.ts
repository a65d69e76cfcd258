// Packages that code may not load at run time, not even through other files.
import { posix } from 'node:path';
import type { Violation } from './layer-violations.ts';
import type { SourceFacts } from './source-facts.ts';

export interface ForbiddenPackage {
  /** The file whose imports are followed. */
  entry: string;
  package: string;
  reason: string;
}

export const FORBIDDEN_PACKAGES: readonly ForbiddenPackage[] = [
  {
    entry: 'renderer/main.tsx',
    package: 'zod',
    reason: 'it evaluates code, which the content security policy of the window forbids',
  },
];

/** Follows the imports that exist at run time, and reports the first file on each path that loads the package. */
export function reachableViolations(
  facts: ReadonlyMap<string, SourceFacts>,
  { entry, package: name, reason }: ForbiddenPackage,
): Violation[] {
  const violations: Violation[] = [];
  /** Each reached file with the file that imports it. */
  const reached = new Map<string, string | null>([[entry, null]]);
  for (const file of reached.keys()) {
    for (const { specifier, typeOnly, line } of facts.get(file)?.imports ?? []) {
      if (typeOnly || specifier === null) continue;
      if (specifier === name || specifier.startsWith(`${name}/`)) {
        violations.push({ file, line, message: `loads ${name} (${wayTo(file, reached)}): ${reason}` });
      } else if (specifier.startsWith('.')) {
        const target = posix.normalize(posix.join(posix.dirname(file), specifier));
        if (!reached.has(target)) reached.set(target, file);
      }
    }
  }
  return violations;
}

function wayTo(file: string, reached: ReadonlyMap<string, string | null>): string {
  const way: string[] = [];
  for (let at: string | null = file; at !== null; at = reached.get(at) ?? null) way.unshift(at);
  return way.slice(-3).join(' → ');
}
