import { lift, setBlockType, toggleMark, wrapIn } from 'prosemirror-commands';
import { redo, undo } from 'prosemirror-history';
import type { NodeType } from 'prosemirror-model';
import { liftListItem, sinkListItem, wrapInList } from 'prosemirror-schema-list';
import type { Command, EditorState } from 'prosemirror-state';
import { SCHEMA } from './schema.ts';

/** The commands of the toolbar and the keyboard on the selected text. */
export type RichCommand = 'bold' | 'italic' | 'heading' | 'bullets' | 'numbers' | 'quote' | 'undo' | 'redo';

const { nodes, marks } = SCHEMA;

/** Whether the selection is inside a node of a type. */
function isInside(state: EditorState, type: NodeType): boolean {
  const { $from } = state.selection;
  for (let depth = $from.depth; depth > 0; depth -= 1) if ($from.node(depth).type === type) return true;
  return false;
}

/** Turns the selected paragraphs into a list, or the selected list entries into paragraphs. */
const toggleList =
  (type: NodeType): Command =>
  (state, dispatch) =>
    isInside(state, type) ? liftListItem(nodes.list_item)(state, dispatch) : wrapInList(type)(state, dispatch);

const toggleHeading: Command = (state, dispatch) =>
  isInside(state, nodes.heading)
    ? setBlockType(nodes.paragraph)(state, dispatch)
    : setBlockType(nodes.heading, { level: 3 })(state, dispatch);

const toggleQuote: Command = (state, dispatch) =>
  isInside(state, nodes.blockquote) ? lift(state, dispatch) : wrapIn(nodes.blockquote)(state, dispatch);

export const RICH_COMMANDS: Readonly<Record<RichCommand, Command>> = {
  bold: toggleMark(marks.strong),
  italic: toggleMark(marks.em),
  heading: toggleHeading,
  bullets: toggleList(nodes.bullet_list),
  numbers: toggleList(nodes.ordered_list),
  quote: toggleQuote,
  undo,
  redo,
};

export const indent: Command = sinkListItem(nodes.list_item);
export const outdent: Command = liftListItem(nodes.list_item);

/** The state of the selection for the toolbar. */
export interface RichStatus {
  active: ReadonlySet<RichCommand>;
  /** Commands that have no effect at the selection. */
  disabled: ReadonlySet<RichCommand>;
  /** The address of the link at the selection; null when there is none. */
  href: string | null;
  /** Whether a link can be created: there is selected text, or a link. */
  canLink: boolean;
}

export function statusOf(state: EditorState): RichStatus {
  const { from, to, empty, $from } = state.selection;
  const stored = state.storedMarks ?? $from.marks();
  const has = (name: 'strong' | 'em') =>
    empty ? stored.some(({ type }) => type === marks[name]) : state.doc.rangeHasMark(from, to, marks[name]);
  const link = linkAt(state);
  const active: [RichCommand, boolean][] = [
    ['bold', has('strong')],
    ['italic', has('em')],
    ['heading', isInside(state, nodes.heading)],
    ['bullets', isInside(state, nodes.bullet_list)],
    ['numbers', isInside(state, nodes.ordered_list)],
    ['quote', isInside(state, nodes.blockquote)],
  ];
  const all = Object.entries(RICH_COMMANDS) as [RichCommand, Command][];
  return {
    active: new Set(active.flatMap(([command, isActive]) => (isActive ? [command] : []))),
    disabled: new Set(all.flatMap(([command, run]) => (run(state) ? [] : [command]))),
    href: link?.href ?? null,
    canLink: link !== null || !empty,
  };
}

/** Returns the link at the selection with the range of its text. */
function linkAt(state: EditorState): { href: string; from: number; to: number } | null {
  const { $from, from, to, empty } = state.selection;
  const { parent } = $from;
  let found: { href: string; from: number; to: number } | null = null;
  parent.forEach((node, offset) => {
    const mark = marks.link.isInSet(node.marks);
    if (mark === undefined) return;
    const start = $from.start() + offset;
    const end = start + node.nodeSize;
    const touches = empty ? start <= from && from <= end : start < to && from < end;
    if (!touches || (found !== null && found.href !== mark.attrs.href)) return;
    found = { href: String(mark.attrs.href), from: found?.from ?? start, to: end };
  });
  return found;
}

/** Makes the selected text, or the link at the selection, a link to an address; null removes the link. */
export function setLink(href: string | null): Command {
  return (state, dispatch) => {
    const known = linkAt(state);
    const { from, to, empty } = state.selection;
    const range = empty ? known : { from, to };
    if (range === null) return false;
    if (dispatch === undefined) return true;
    const tr = state.tr.removeMark(range.from, range.to, marks.link);
    dispatch(href === null ? tr : tr.addMark(range.from, range.to, marks.link.create({ href })));
    return true;
  };
}
