// Finds code that writes to a terminal, by the syntax tree of a source file.
import { type ESTree, Visitor } from 'vite';
import { lineFinder, parseSource } from './source-facts.ts';

export interface TerminalViolation {
  line: number;
  text: string;
}

type Node = ESTree.Node;

function nameOf(node: Node): string {
  if (node.type === 'Identifier') return node.name;
  if (node.type === 'ThisExpression') return 'this';
  if (node.type === 'Literal') return String(node.value);
  if (node.type === 'ChainExpression' || node.type === 'TSNonNullExpression') return nameOf(node.expression);
  if (node.type !== 'MemberExpression') return '';
  return `${nameOf(node.object)}.${nameOf(node.property)}`;
}

/** Expressions that are a standard stream, or that print. */
const STREAM = /^(?:globalThis\.)?process\.(?:stdout|stderr)$/;
const PRINTING = /^(?:globalThis\.)?console\.\w+$/;
/** Methods of streams, and functions that write bytes to a descriptor. A function `write` of a file itself is none. */
const WRITING = /\.writev?$|(?:^|\.)writev?Sync$/;

/**
 * Returns the places of a file that print, use a standard stream, or, when `isStrict`, call any function that writes to a stream
 * or descriptor. Throws when the file is not valid TypeScript.
 */
export function terminalViolations(file: string, source: string, isStrict: boolean): TerminalViolation[] {
  const { program } = parseSource(file, source);
  const found = new Map<number, string>();
  new Visitor({
    MemberExpression(node) {
      const name = nameOf(node);
      if (STREAM.test(name) || PRINTING.test(name)) found.set(node.start, name);
    },
    VariableDeclarator(node) {
      if (node.init === null || nameOf(node.init) !== 'process' || node.id.type !== 'ObjectPattern') return;
      for (const property of node.id.properties) {
        const name = property.type === 'Property' ? `process.${nameOf(property.key)}` : 'process.*';
        if (STREAM.test(name) || name === 'process.*') found.set(property.start, name);
      }
    },
    CallExpression(node) {
      if (isStrict && WRITING.test(nameOf(node.callee))) found.set(node.start, `${nameOf(node.callee)}()`);
    },
  }).visit(program);
  const lineOf = lineFinder(source);
  return [...found].sort(([a], [b]) => a - b).map(([at, text]) => ({ line: lineOf(at), text }));
}
