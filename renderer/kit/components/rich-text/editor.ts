import { baseKeymap, chainCommands, exitCode } from 'prosemirror-commands';
import { history } from 'prosemirror-history';
import { keymap } from 'prosemirror-keymap';
import { Node, Slice } from 'prosemirror-model';
import { splitListItem } from 'prosemirror-schema-list';
import { type Command, EditorState } from 'prosemirror-state';
import { EditorView } from 'prosemirror-view';
import { parseHtml, parsePastedHtml } from '../../../../shared/model/rich-text/parse-html.ts';
import type { RichText } from '../../../../shared/model/rich-text/rich-text.ts';
import { serializeHtml } from '../../../../shared/model/rich-text/serialize-html.ts';
import { indent, outdent, RICH_COMMANDS, type RichCommand, type RichStatus, setLink, statusOf } from './commands.ts';
import { SCHEMA } from './schema.ts';

interface EditorOptions {
  html: string;
  /** Attributes of the editable element, such as its class and its label. */
  attributes: Record<string, string>;
  /** Called after each change by the user, with the new HTML; with the given HTML itself when the text is unchanged. */
  onChange: (html: string) => void;
  onStatus: (status: RichStatus) => void;
  onLink: () => void;
}

/** An editor in the page. */
export interface Editor {
  run(command: RichCommand): void;
  /** Makes the selection a link; null removes the link. */
  link(href: string | null): void;
  /** Replaces the text, because it changed elsewhere. */
  setHtml(html: string): void;
  setReadOnly(isReadOnly: boolean): void;
  /** Marks the text as invalid. `errorId`: of the element with the message; null: the text is valid. */
  setError(errorId: string | null): void;
  focus(): void;
  destroy(): void;
}

/**
 * Mounts an editor in an element. HTML is read and written by our own parser only, also when it is pasted or dropped: the editor
 * never assigns markup to the document. `html` must be readable without loss, see `readHtml`.
 */
export function mountEditor(place: HTMLElement, options: EditorOptions): Editor {
  let given = { html: options.html, doc: docOf(options.html) };
  let isReadOnly = false;
  let errorId: string | null = null;
  const view = new EditorView(
    { mount: place },
    {
      state: stateOf(given.doc, options.onLink),
      attributes: () => ({
        ...options.attributes,
        'aria-readonly': String(isReadOnly),
        ...(errorId === null ? {} : { 'aria-invalid': 'true', 'aria-describedby': errorId }),
      }),
      editable: () => !isReadOnly,
      handleDOMEvents: {
        paste: (target, event) => paste(target, event.clipboardData, event),
        drop: (target, event) => drop(target, event),
      },
      dispatchTransaction(transaction) {
        const state = view.state.apply(transaction);
        view.updateState(state);
        options.onStatus(statusOf(state));
        if (!transaction.docChanged) return;
        const isAsGiven = state.doc.eq(given.doc);
        options.onChange(isAsGiven ? given.html : serializeHtml(state.doc.toJSON() as RichText));
      },
    },
  );
  options.onStatus(statusOf(view.state));
  return {
    run(command) {
      RICH_COMMANDS[command](view.state, view.dispatch, view);
      view.focus();
    },
    link(href) {
      setLink(href)(view.state, view.dispatch, view);
      view.focus();
    },
    setHtml(html) {
      given = { html, doc: docOf(html) };
      view.updateState(stateOf(given.doc, options.onLink));
      options.onStatus(statusOf(view.state));
    },
    setReadOnly(next) {
      isReadOnly = next;
      view.setProps({});
    },
    setError(next) {
      errorId = next;
      view.setProps({});
    },
    focus: () => view.focus(),
    destroy: () => view.destroy(),
  };
}

function docOf(html: string): Node {
  return Node.fromJSON(SCHEMA, parseHtml(html).doc);
}

function stateOf(doc: Node, onLink: () => void): EditorState {
  const lineBreak: Command = chainCommands(exitCode, (state, dispatch) => {
    dispatch?.(state.tr.replaceSelectionWith(SCHEMA.nodes.hard_break.create()).scrollIntoView());
    return true;
  });
  const askForLink: Command = (state) => {
    if (!statusOf(state).canLink) return false;
    onLink();
    return true;
  };
  const keys: Record<string, Command> = {
    'Mod-b': RICH_COMMANDS.bold,
    'Mod-i': RICH_COMMANDS.italic,
    'Mod-z': RICH_COMMANDS.undo,
    'Mod-y': RICH_COMMANDS.redo,
    'Mod-Shift-z': RICH_COMMANDS.redo,
    'Mod-Shift-7': RICH_COMMANDS.numbers,
    'Mod-Shift-8': RICH_COMMANDS.bullets,
    'Mod-Shift-9': RICH_COMMANDS.quote,
    'Mod-Shift-k': askForLink,
    'Mod-]': indent,
    'Mod-[': outdent,
    'Shift-Enter': lineBreak,
    Enter: splitListItem(SCHEMA.nodes.list_item),
  };
  // Not bound here, because Ctrl+Enter saves, as in every field of the inspector.
  const { 'Mod-Enter': _save, ...base } = baseKeymap;
  return EditorState.create({ doc, plugins: [history(), keymap(keys), keymap(base)] });
}

/** Inserts pasted content as allowed markup, or as plain paragraphs. Returns true: the editor's own handling is not used. */
function paste(view: EditorView, data: DataTransfer | null, event: Event): boolean {
  const slice = sliceOf(data);
  if (slice === null || !view.editable) return true;
  event.preventDefault();
  view.dispatch(view.state.tr.replaceSelection(slice).scrollIntoView());
  return true;
}

/** Inserts dropped text from outside like a paste; the editor itself handles text that is moved within it. */
function drop(view: EditorView, event: DragEvent): boolean {
  if (view.dragging !== null) return false;
  // Files belong to the window, which adds them as uploads.
  if (event.dataTransfer?.types.includes('Files')) return true;
  const place = view.posAtCoords({ left: event.clientX, top: event.clientY });
  const slice = sliceOf(event.dataTransfer);
  event.preventDefault();
  if (place === null || slice === null || !view.editable) return true;
  view.dispatch(view.state.tr.replaceRange(place.pos, place.pos, slice).scrollIntoView());
  view.focus();
  return true;
}

function sliceOf(data: DataTransfer | null): Slice | null {
  const html = data?.getData('text/html') ?? '';
  const text = data?.getData('text/plain') ?? '';
  if (html === '' && text === '') return null;
  const doc = html === '' ? plainDoc(text) : Node.fromJSON(SCHEMA, parsePastedHtml(html).doc);
  return Slice.maxOpen(doc.content);
}

/** Returns plain text as paragraphs; a single line break stays one. */
function plainDoc(text: string): Node {
  const { nodes } = SCHEMA;
  const paragraphs = text
    .replace(/\r\n?/g, '\n')
    .split(/\n{2,}/)
    .map((paragraph) => {
      const lines = paragraph.split('\n');
      const content = lines.flatMap((line, index) => [
        ...(index === 0 ? [] : [nodes.hard_break.create()]),
        ...(line === '' ? [] : [SCHEMA.text(line)]),
      ]);
      return nodes.paragraph.create(null, content);
    });
  return nodes.doc.create(null, paragraphs);
}
