// The regular expressions of a source file, read from its syntax tree.
import { type ESTree, Visitor } from 'vite';
import { lineFinder, parseSource } from './source-facts.ts';

export interface PatternFact {
  /** The pattern; null when it is composed at run time and can't be checked. */
  source: string | null;
  flags: string;
  line: number;
}

/** All literals, and all calls of `RegExp`. Throws when the file is not valid TypeScript. */
export function readPatterns(file: string, text: string): PatternFact[] {
  const { program } = parseSource(file, text);
  const lineOf = lineFinder(text);
  const found: PatternFact[] = [];

  function addConstruction({ start, callee, arguments: given }: ESTree.NewExpression | ESTree.CallExpression): void {
    if (callee.type !== 'Identifier' || callee.name !== 'RegExp') return;
    const [source, flags] = given.map((each) =>
      each.type === 'Literal' && typeof each.value === 'string' ? each.value : null,
    );
    const isKnown = typeof source === 'string' && flags !== null;
    found.push({ source: isKnown ? source : null, flags: flags ?? '', line: lineOf(start) });
  }

  new Visitor({
    Literal(node) {
      if (!('regex' in node)) return;
      found.push({ source: node.regex.pattern, flags: node.regex.flags, line: lineOf(node.start) });
    },
    NewExpression: addConstruction,
    CallExpression: addConstruction,
  }).visit(program);
  return found;
}
