// Finds texts of the window that are not in a module of texts, by the syntax tree of a source file.
import { type ESTree, Visitor } from 'vite';
import { lineFinder, parseSource } from './source-facts.ts';

export interface TextViolation {
  line: number;
  text: string;
}

/** Attributes of JSX, and properties of objects, whose value is shown or read aloud. */
const SHOWN: ReadonlySet<string> = new Set([
  'alt',
  'aria-description',
  'aria-label',
  'aria-placeholder',
  'aria-roledescription',
  'aria-valuetext',
  'confirm',
  'errorTitle',
  'hint',
  'keep',
  'label',
  'message',
  'nextStep',
  'pastHint',
  'placeholder',
  'problem',
  'text',
  'textValue',
  'title',
  'word',
]);

/** Properties that also occur as names of fields. */
const FIELDS: ReadonlySet<string> = new Set(['title', 'text', 'message']);
const NAME = /^[a-z][a-zA-Z0-9-]*$/;

/** Functions whose arguments are shown or read aloud. */
const SPEAKING: ReadonlySet<string> = new Set(['announce', 'notify', 'notifyWithAction', 'warn']);

/** Calls whose strings are for developers or machines: errors of our own, the console, selectors. */
const SILENT = /^(console\.\w+|.*\.(querySelector|querySelectorAll|closest|matches)|Error|\w+Error)$/;

const LETTER = /\p{L}/u;
const ENTITIES = /&\w+;/g;
/** A sentence or title: it begins with a capital letter or a quotation mark and has a second word. */
const SENTENCE = /^[“\p{Lu}][\p{L}’'-]*,?\s+\p{L}/u;
/** A word between the values of a template. */
const WORD = /[\s“]\p{L}{2,}[.,:;!?…”]*(?:\s|$)|^\p{L}{2,}[.,:;!?…”]*\s/u;

/** Returns whether a file keeps texts. In these files strings are allowed. */
export function isTextModule(file: string): boolean {
  return file.endsWith('/texts.ts') || file.startsWith('renderer/kit/text/');
}

type Node = ESTree.Node;

/** Returns the strings that an expression can have as its value. Arguments of calls are not part of it. */
function stringsOf(node: Node | null): { node: Node; text: string }[] {
  switch (node?.type) {
    case 'Literal':
      return typeof node.value === 'string' ? [{ node, text: node.value }] : [];
    case 'TemplateLiteral':
      return [
        { node, text: node.quasis.map(({ value }) => value.cooked ?? value.raw).join('') },
        ...node.expressions.flatMap((each) => stringsOf(each)),
      ];
    case 'ConditionalExpression':
      return [...stringsOf(node.consequent), ...stringsOf(node.alternate)];
    case 'LogicalExpression':
      return [...stringsOf(node.left), ...stringsOf(node.right)];
    case 'BinaryExpression':
      return node.operator === '+' ? [...stringsOf(node.left), ...stringsOf(node.right)] : [];
    case 'ParenthesizedExpression':
    case 'TSAsExpression':
    case 'TSSatisfiesExpression':
    case 'JSXExpressionContainer':
      return stringsOf(node.expression);
    default:
      return [];
  }
}

function nameOf(node: Node): string {
  if (node.type === 'Identifier' || node.type === 'JSXIdentifier') return node.name;
  if (node.type === 'Literal') return String(node.value);
  if (node.type === 'MemberExpression' && !node.computed) return `${nameOf(node.object)}.${nameOf(node.property)}`;
  return '';
}

/**
 * Returns the strings of a file that the user can read: text between tags, attributes and properties that are shown,
 * announcements, and sentences anywhere else. Throws when the file is not valid TypeScript.
 */
export function textViolations(file: string, source: string): TextViolation[] {
  const { program } = parseSource(file, source);
  const found = new Map<number, string>();
  const silent: { start: number; end: number }[] = [];
  const add = (node: Node, text: string) => found.set(node.start, text.trim().replace(/\s+/g, ' '));
  const addShown = (node: Node | null) => {
    for (const each of stringsOf(node)) if (LETTER.test(each.text)) add(each.node, each.text);
  };

  new Visitor({
    JSXText(node) {
      if (LETTER.test(node.value.replace(ENTITIES, ''))) add(node, node.value);
    },
    JSXElement(node) {
      for (const child of node.children) if (child.type === 'JSXExpressionContainer') addShown(child);
    },
    JSXFragment(node) {
      for (const child of node.children) if (child.type === 'JSXExpressionContainer') addShown(child);
    },
    JSXAttribute(node) {
      const name = nameOf(node.name);
      if (SHOWN.has(name)) addShown(node.value);
      else if (node.value !== null && /^(style|className|d|viewBox|data-.*)$/.test(name)) silent.push(node.value);
    },
    Property(node) {
      if (node.computed || !SHOWN.has(nameOf(node.key))) return;
      // `{ title: 'titles' }` names a field: a shown title begins with a capital letter.
      const [value, ...others] = stringsOf(node.value);
      const isName = value !== undefined && others.length === 0 && NAME.test(value.text);
      if (!isName || !FIELDS.has(nameOf(node.key))) addShown(node.value);
    },
    AssignmentPattern(node) {
      if (SHOWN.has(nameOf(node.left))) addShown(node.right);
    },
    CallExpression(node) {
      const name = nameOf(node.callee);
      if (SPEAKING.has(name)) for (const each of node.arguments) addShown(each);
      if (SILENT.test(name)) silent.push(node);
    },
    NewExpression(node) {
      if (SILENT.test(nameOf(node.callee))) silent.push(node);
    },
    ImportDeclaration(node) {
      silent.push(node);
    },
    TSLiteralType(node) {
      silent.push(node);
    },
    Literal(node) {
      if (typeof node.value === 'string' && SENTENCE.test(node.value)) add(node, node.value);
    },
    TemplateLiteral(node) {
      if (node.quasis.some(({ value }) => WORD.test(value.raw))) add(node, source.slice(node.start + 1, node.end - 1));
    },
  }).visit(program);

  const lineOf = lineFinder(source);
  return [...found]
    .filter(([at]) => !silent.some(({ start, end }) => start <= at && at < end))
    .sort(([a], [b]) => a - b)
    .map(([at, text]) => ({ line: lineOf(at), text }));
}
