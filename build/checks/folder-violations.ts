// Compares the imports between the folders of a part with folder-rules.ts.
import { posix } from 'node:path';
import type { FolderRule, PartRules } from './folder-rule.ts';
import type { ImportArrow, ImportGraph } from './import-graph.ts';
import type { Violation } from './layer-violations.ts';

const RULES_FILE = 'build/checks/folder-rules.ts';

const isInside = (path: string, folder: string) => path.startsWith(`${folder}/`);

/**
 * Returns all violations of one part: imports that no rule allows, files without a rule, and rules that allow imports that no
 * file has.
 */
export function folderViolations(graph: ImportGraph, part: PartRules): Violation[] {
  const files = graph.files.filter((file) => isInside(file, part.part));
  const arrows = graph.arrows.filter(({ from, to }) => isInside(from, part.part) && isInside(to, part.part));
  return [
    ...orderProblems(part),
    ...files.flatMap((file) => homeProblem(part, file)),
    ...arrows.flatMap((arrow) => [...folderProblem(part, arrow), ...routesProblem(part, arrow)]),
    ...staleRules(part, files, arrows),
  ];
}

function ruleOf({ folders }: PartRules, file: string): FolderRule | undefined {
  return folders.filter(({ folder }) => isInside(file, folder)).sort((a, b) => b.folder.length - a.folder.length)[0];
}

/** A rule that allows a folder later in the list would allow a cycle. */
function orderProblems({ folders }: PartRules): Violation[] {
  return folders.flatMap(({ folder, mayImport }, index) => {
    const below = new Set(folders.slice(0, index).map((each) => each.folder));
    return mayImport
      .filter((each) => !below.has(each))
      .map((each) => ({
        file: RULES_FILE,
        line: 1,
        message: `${folder} names ${each}, which is not above it in the list`,
      }));
  });
}

function homeProblem(part: PartRules, file: string): Violation[] {
  if (posix.dirname(file) === part.part || ruleOf(part, file)) return [];
  return [{ file, line: 1, message: `no folder of ${RULES_FILE} contains ${file}` }];
}

function folderProblem(part: PartRules, { from, to, line }: ImportArrow): Violation[] {
  const [own, other] = [ruleOf(part, from), ruleOf(part, to)];
  if (!own || own === other) return [];
  if (other && own.mayImport.includes(other.folder)) return [];
  const allowed = own.mayImport.length > 0 ? own.mayImport.join(', ') : 'no other folder of the part';
  return [{ file: from, line, message: `${own.folder} may not import ${to} (it may import ${allowed})` }];
}

function routesProblem({ routes }: PartRules, { from, to, line }: ImportArrow): Violation[] {
  if (!routes || !to.endsWith(routes.ending)) return [];
  if (posix.dirname(from) === posix.dirname(to) || isInside(from, routes.routesFor)) return [];
  return [{ file: from, line, message: `the routes in ${to} may be imported only in ${routes.routesFor}` }];
}

/** Returns allowed imports between two folders that no file uses. */
function staleRules(part: PartRules, files: readonly string[], arrows: readonly ImportArrow[]): Violation[] {
  const present = new Set(files.map((file) => ruleOf(part, file)?.folder));
  const used = new Set(arrows.map(({ from, to }) => `${ruleOf(part, from)?.folder} → ${ruleOf(part, to)?.folder}`));
  return part.folders.flatMap(({ folder, mayImport }) =>
    mayImport
      .filter((each) => present.has(folder) && present.has(each) && !used.has(`${folder} → ${each}`))
      .map((each) => ({
        file: RULES_FILE,
        line: 1,
        message: `${folder} may import ${each}, but does not any more: remove the permission`,
      })),
  );
}
