/**
 * The content of a cell: one line, several lines, tags separated by `|`, one of a few values, or `yes` and `no`. The value is
 * always a text as a user types it.
 */
export type CellKind = 'text' | 'multiline' | 'tags' | 'choice' | 'check';

/** The rules of a column for its texts. `choices`: the values that a `choice` offers. */
interface CellRules {
  kind: CellKind;
  choices?: readonly string[];
}

/** The texts of a `check` cell. */
export const CHECKED = 'yes';
export const UNCHECKED = 'no';

const YES: ReadonlySet<string> = new Set([CHECKED, 'y', 'true', '1', 'x', 'on', '✓', '✔', '☑']);
const NO: ReadonlySet<string> = new Set([UNCHECKED, 'n', 'false', '0', '', 'off', '☐']);

/** Word processors write a vertical tab, or a line separator of Unicode, within a paragraph. */
const LINE_END = /\r\n?|[\n\v\u2028\u2029]/g;

/**
 * Returns a typed or pasted text in the form that a cell of the column stores. A text that is none of the values of a `choice`
 * or `check` column is returned unchanged, for the check of its problems.
 */
export function cellText({ kind, choices }: CellRules, text: string): string {
  switch (kind) {
    case 'text':
      return oneLine(text, ' ');
    case 'tags':
      return oneLine(text, '|');
    case 'multiline':
      return text.replace(LINE_END, '\n');
    case 'choice':
      return choiceOf(choices ?? [], oneLine(text, ' ').trim());
    case 'check': {
      const word = text.trim().toLowerCase();
      return YES.has(word) ? CHECKED : NO.has(word) ? UNCHECKED : text;
    }
  }
}

/** Line breaks at the ends are dropped; `join` replaces the others, with the blanks around them. */
function oneLine(text: string, join: string): string {
  const lines = text.split(LINE_END);
  if (lines.length === 1) return text;
  return lines
    .map((line, at) => (at === 0 ? line.trimEnd() : at === lines.length - 1 ? line.trimStart() : line.trim()))
    .filter((line) => line !== '')
    .join(join);
}

interface KnownChoices {
  exact: ReadonlySet<string>;
  /** The first choice for each lower-case text. */
  folded: ReadonlyMap<string, string>;
}

/** Prepared once for each column: a paste converts thousands of cells, and a column can have thousands of choices. */
const knownChoices = new WeakMap<readonly string[], KnownChoices>();

function choiceOf(choices: readonly string[], text: string): string {
  let known = knownChoices.get(choices);
  if (known === undefined) {
    const folded = new Map(choices.toReversed().map((choice) => [choice.toLowerCase(), choice]));
    known = { exact: new Set(choices), folded };
    knownChoices.set(choices, known);
  }
  return known.exact.has(text) ? text : (known.folded.get(text.toLowerCase()) ?? text);
}

/** Returns whether two texts are equal in a column, also with other line ends. */
export function isSameCell(rules: CellRules, one: string, other: string): boolean {
  return one === other || cellText(rules, one) === cellText(rules, other);
}
