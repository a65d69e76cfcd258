// The imports of a source file and the globals of its runtime that it uses, read from its syntax tree.
import { type ESTree, parseSync, Visitor } from 'vite';

export interface ImportFact {
  /** null when the module's name is only known at run time. */
  specifier: string | null;
  /** True when no part of the import exists at run time. */
  typeOnly: boolean;
  /** Imported names; empty for side effects, namespaces and dynamic imports. */
  names: readonly string[];
  line: number;
}

interface GlobalFact {
  /** Such as `Date.now`, `new Date()`, `setTimeout`. */
  name: string;
  line: number;
}

export interface SourceFacts {
  imports: readonly ImportFact[];
  globals: readonly GlobalFact[];
}

/** Globals with access to the outside world: clocks, timers, random values, the network. */
const CALLED: ReadonlySet<string> = new Set(['setTimeout', 'setInterval', 'fetch', 'Date']);
const MEMBERS: ReadonlySet<string> = new Set([
  'Date.now',
  'Math.random',
  'performance.now',
  'process.hrtime',
  'crypto.randomUUID',
  'crypto.getRandomValues',
  'AbortSignal.timeout',
]);
const CONSTRUCTED: ReadonlySet<string> = new Set(['WebSocket', 'XMLHttpRequest', 'EventSource']);

/** Parses a file. Throws when it is not valid TypeScript. */
export function parseSource(file: string, text: string): ReturnType<typeof parseSync> {
  const parsed = parseSync(file, text);
  const [problem] = parsed.errors;
  if (problem) throw new Error(`${file}: ${problem.message}`);
  return parsed;
}

/** Finds the line (from 1) of an offset in a text. */
export function lineFinder(text: string): (offset: number) => number {
  const starts = [0];
  for (let at = text.indexOf('\n'); at >= 0; at = text.indexOf('\n', at + 1)) starts.push(at + 1);
  return (offset) => {
    let low = 0;
    let high = starts.length - 1;
    while (low < high) {
      const middle = (low + high + 1) >> 1;
      if ((starts[middle] ?? 0) <= offset) low = middle;
      else high = middle - 1;
    }
    return low + 1;
  };
}

function literal(node: { type: string } | null | undefined): string | null {
  return node?.type === 'Literal' && typeof (node as { value?: unknown }).value === 'string'
    ? (node as unknown as { value: string }).value
    : null;
}

function nameOf(node: { type: string }): string | null {
  return node.type === 'Identifier' ? (node as unknown as { name: string }).name : null;
}

/** Returns a member expression as `a.b`, without a leading `globalThis.`. */
function memberName(node: ESTree.MemberExpression): string | null {
  if (node.computed) return null;
  const property = nameOf(node.property);
  const object = nameOf(node.object);
  if (property === null) return null;
  if (object === 'globalThis') return property;
  if (object !== null) return `${object}.${property}`;
  if (node.object.type !== 'MemberExpression') return null;
  const inner = memberName(node.object);
  return inner === null ? null : `${inner}.${property}`;
}

/** Reads one file. Throws when it is not valid TypeScript. */
export function readFacts(file: string, text: string): SourceFacts {
  const { program } = parseSource(file, text);
  const lineOf = lineFinder(text);
  const imports: ImportFact[] = [];
  const globals: GlobalFact[] = [];
  const addImport = (node: { start: number }, specifier: string | null, typeOnly = false, names: string[] = []) =>
    imports.push({ specifier, typeOnly, names, line: lineOf(node.start) });
  const addGlobal = (node: { start: number }, name: string) => globals.push({ name, line: lineOf(node.start) });

  new Visitor({
    ImportDeclaration(node) {
      const named = node.specifiers.filter((each) => each.type === 'ImportSpecifier');
      const allTypes = node.specifiers.length > 0 && named.length === node.specifiers.length;
      const typeOnly = node.importKind === 'type' || (allTypes && named.every((each) => each.importKind === 'type'));
      const values = named.filter((each) => each.importKind !== 'type');
      const names = values.map((each) => ('name' in each.imported ? each.imported.name : String(each.imported.value)));
      addImport(node, node.source.value, typeOnly, names);
    },
    ExportNamedDeclaration(node) {
      if (node.source) addImport(node, node.source.value, node.exportKind === 'type');
    },
    ExportAllDeclaration(node) {
      addImport(node, node.source.value, node.exportKind === 'type');
    },
    ImportExpression(node) {
      addImport(node, literal(node.source));
    },
    TSImportType(node) {
      addImport(node, literal(node.source), true);
    },
    TSExternalModuleReference(node) {
      addImport(node, literal(node.expression));
    },
    CallExpression(node) {
      const callee = node.callee.type === 'MemberExpression' ? memberName(node.callee) : nameOf(node.callee);
      if (callee === 'require') addImport(node, literal(node.arguments[0]));
      else if (callee !== null && CALLED.has(callee)) addGlobal(node, callee);
    },
    NewExpression(node) {
      const name = nameOf(node.callee);
      if (name === 'Date' && node.arguments.length === 0) addGlobal(node, 'new Date()');
      else if (name !== null && CONSTRUCTED.has(name)) addGlobal(node, name);
    },
    MemberExpression(node) {
      const name = memberName(node);
      if (name !== null && MEMBERS.has(name)) addGlobal(node, name);
    },
  }).visit(program);
  return { imports, globals };
}
