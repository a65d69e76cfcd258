// Checks the dependencies between the layers, and between the folders of a layer: allowed imports, packages that the window may
// not load, access to the outside world, and that no file imports itself through others, types included.
//
// node build/check-layers.ts [ROOT]
import { readFile } from 'node:fs/promises';
import { join, resolve } from 'node:path';
import { PARTS } from './checks/folder-rules.ts';
import { folderViolations } from './checks/folder-violations.ts';
import { cycleViolations } from './checks/import-cycles.ts';
import { arrowsOf, type ImportArrow } from './checks/import-graph.ts';
import { type Violation, violationsOf } from './checks/layer-violations.ts';
import { FORBIDDEN_PACKAGES, reachableViolations } from './checks/reachable-packages.ts';
import { readFacts, type SourceFacts } from './checks/source-facts.ts';
import { sourceFiles } from './checks/source-files.ts';

/** Checks every TypeScript file below `root`. */
export async function checkLayers(root: string): Promise<{ files: number; violations: Violation[] }> {
  const files = await sourceFiles(root, ['.ts', '.tsx']);
  const violations: Violation[] = [];
  const arrows: ImportArrow[] = [];
  const factsOf = new Map<string, SourceFacts>();
  for (const file of files) {
    const facts = readFacts(file, await readFile(join(root, file), 'utf8'));
    factsOf.set(file, facts);
    violations.push(...violationsOf(file, facts));
    arrows.push(...arrowsOf(file, facts));
  }
  for (const each of FORBIDDEN_PACKAGES) violations.push(...reachableViolations(factsOf, each));
  violations.push(...cycleViolations(arrows));
  for (const part of PARTS) violations.push(...folderViolations({ files, arrows }, part));
  return { files: files.length, violations };
}

if (import.meta.main) {
  const { files, violations } = await checkLayers(resolve(process.argv[2] ?? '.'));
  for (const { file, line, message } of violations) console.error(`${file}:${line}  ${message}`);
  console.log(`layers: ${files} files, ${violations.length} violations`);
  process.exitCode = violations.length > 0 ? 1 : 0;
}
