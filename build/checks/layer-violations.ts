// Compares the facts about one file with the rules of layer-rules.ts.
import { builtinModules } from 'node:module';
import { posix } from 'node:path';
import {
  ADAPTERS,
  HARMLESS_NAMES,
  LAYERS,
  type Layer,
  OUTSIDE_MODULES,
  PORTED_FOLDER,
  RANDOM_NAMES,
  ROOT_FILES,
  SOLE_IMPORTERS,
  SOLE_USERS,
  TEST_FOLDER,
} from './layer-rules.ts';
import type { ImportFact, SourceFacts } from './source-facts.ts';

export interface Violation {
  file: string;
  line: number;
  message: string;
}

const NODE_MODULES: ReadonlySet<string> = new Set(builtinModules.map((name) => name.replace(/^node:/, '')));

function isInside(path: string, folder: string): boolean {
  return path === folder || path.startsWith(`${folder}/`);
}

function layerOf(path: string): Layer | undefined {
  return LAYERS.filter((layer) => isInside(path, layer.folder)).sort((a, b) => b.folder.length - a.folder.length)[0];
}

function isNodeModule(specifier: string): boolean {
  return specifier.startsWith('node:') || NODE_MODULES.has(specifier.split('/')[0] ?? '');
}

/** `react-dom/client` → `react-dom`, `@scope/name/x` → `@scope/name`. */
function packageOf(specifier: string): string {
  return specifier
    .split('/')
    .slice(0, specifier.startsWith('@') ? 2 : 1)
    .join('/');
}

function isAllowed(file: string, allowed: readonly string[]): boolean {
  return allowed.some((each) => (each.endsWith('/') ? file.startsWith(each) : file === each));
}

function checkRelative(file: string, layer: Layer | undefined, specifier: string): string | null {
  const target = posix.normalize(posix.join(posix.dirname(file), specifier));
  if (target.startsWith('../')) return `${specifier} leaves the repository`;
  // Without it, the checks of cycles and folders would not know the file.
  if (!/\.[a-z]+(?:\?|$)/.test(posix.basename(specifier))) return `write ${specifier} with the extension of the file`;
  if (isInside(target, TEST_FOLDER) && !isInside(file, TEST_FOLDER)) return 'nothing but tests may import tests';
  if (!layer || ROOT_FILES.has(target)) return null;
  if (isInside(target, layer.folder) || layer.mayImport.some((folder) => isInside(target, folder))) return null;
  const allowed = layer.mayImport.length > 0 ? layer.mayImport.join(', ') : 'nothing else';
  return `${layer.folder} may not import ${target} (it may import ${allowed})`;
}

function checkModule(file: string, layer: Layer | undefined, specifier: string): string | null {
  if (!layer) return null;
  for (const rule of SOLE_IMPORTERS) {
    if ((specifier === rule.module || specifier.startsWith(`${rule.module}/`)) && !isAllowed(file, rule.only)) {
      return `${rule.module} may be imported only in ${rule.only.join(', ')}`;
    }
  }
  if (isNodeModule(specifier)) {
    if (!layer.node) return `${layer.folder} runs without Node, so it may not import ${specifier}`;
    return specifier.startsWith('node:') ? null : `write node:${specifier}`;
  }
  const name = packageOf(specifier);
  if (layer.packages.includes(name)) return null;
  const elsewhere = LAYERS.some((each) => each.packages.includes(name));
  return elsewhere
    ? `${layer.folder} may not import ${name}`
    : `${name} is not classified: say in build/checks/layer-rules.ts which layer may import it`;
}

function checkImport(file: string, layer: Layer | undefined, fact: ImportFact): string[] {
  const { specifier } = fact;
  if (layer === undefined && !isInside(file, TEST_FOLDER)) return [`no layer of layer-rules.ts contains ${file}`];
  if (specifier === null) return layer ? ['an import whose module is not written out can’t be checked'] : [];
  const problem = specifier.startsWith('.')
    ? checkRelative(file, layer, specifier)
    : checkModule(file, layer, specifier);
  const misused = SOLE_USERS.filter(
    (rule) => layer && rule.module === specifier && fact.names.includes(rule.name) && !isAllowed(file, rule.only),
  ).map((rule) => `${rule.name} may be used only in ${rule.only.join(', ')}`);
  return problem === null ? misused : [problem, ...misused];
}

/** Returns the access to the outside world that an import gives the engine; null: none. */
function outsideUse(fact: ImportFact): string | null {
  if (fact.typeOnly || fact.specifier === null) return null;
  const harmless = fact.names.length > 0 && fact.names.every((name) => HARMLESS_NAMES.has(name));
  if (OUTSIDE_MODULES.has(fact.specifier)) return harmless ? null : fact.specifier;
  const random =
    fact.specifier === 'node:crypto' && (fact.names.length === 0 || fact.names.some((name) => RANDOM_NAMES.has(name)));
  return random ? fact.specifier : null;
}

function checkOutside(file: string, facts: SourceFacts): Violation[] {
  const allowed = new Set(ADAPTERS.filter((each) => each.file === file).flatMap((each) => each.uses));
  const imported = facts.imports.map((fact) => ({ name: outsideUse(fact), line: fact.line }));
  const uses = [...imported, ...facts.globals].filter(
    (use): use is { name: string; line: number } => use.name !== null,
  );
  const raw = uses
    .filter((use) => !allowed.has(use.name))
    .map(({ name, line }) => ({ file, line, message: `the engine uses ${name} through a port, not directly` }));
  const used = new Set(uses.map((use) => use.name));
  const stale = [...allowed]
    .filter((name) => !used.has(name))
    .map((name) => ({ file, line: 1, message: `layer-rules.ts excuses ${name} here, but it is not used any more` }));
  return [...raw, ...stale];
}

/** Returns all violations of one file. `file` is its path from the repository's root, with forward slashes. */
export function violationsOf(file: string, facts: SourceFacts): Violation[] {
  const layer = layerOf(file);
  const found: Violation[] = [];
  for (const fact of facts.imports) {
    for (const message of checkImport(file, layer, fact)) found.push({ file, line: fact.line, message });
  }
  if (isInside(file, PORTED_FOLDER)) found.push(...checkOutside(file, facts));
  return found;
}
