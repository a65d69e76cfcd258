import type { BulkChange, TextChange } from '../../../../shared/contract/edits.ts';
import { TEXT_FIELDS, type TextField } from '../../../../shared/model/edits/edit-ops.ts';
import { escapeHtml, plainToHtml } from '../description.ts';
import { texts } from './texts.ts';

export type TextAction = TextChange['kind'];

/** The form of a text field. Only a field that is `on` is written. */
export interface TextDraft {
  on: boolean;
  action: TextAction;
  text: string;
  find: string;
  matchCase: boolean;
}

/** The form for several items. */
export interface ChangeDraft {
  title: TextDraft;
  byline: TextDraft;
  description: TextDraft;
  tags: { on: boolean; action: 'change' | 'replace'; add: readonly string[]; remove: readonly string[] };
  collection: { on: boolean; id: string | null };
  /** `at`: an instant in ISO 8601; null while the field has no valid time. */
  publication: { on: boolean; action: 'now' | 'at' | 'unpublish'; at: string | null };
}

const TEXT: TextDraft = { on: false, action: 'set', text: '', find: '', matchCase: false };

export const EMPTY_CHANGE: ChangeDraft = {
  title: TEXT,
  byline: TEXT,
  description: TEXT,
  tags: { on: false, action: 'change', add: [], remove: [] },
  collection: { on: false, id: null },
  publication: { on: false, action: 'now', at: null },
};

export type ChangeProblems = Partial<Record<keyof ChangeDraft, string>>;

/** Returns the change that a form describes, and what has to be corrected first, by field. */
export function readChange(draft: ChangeDraft): { change: BulkChange; problems: ChangeProblems } {
  const change: BulkChange = {};
  const problems: ChangeProblems = {};
  for (const field of TEXT_FIELDS) {
    if (!draft[field].on) continue;
    const read = readText(field, draft[field]);
    if (typeof read === 'string') problems[field] = read;
    else change[field] = read;
  }
  const { tags, collection, publication } = draft;
  if (tags.on) {
    const read = readTags(tags);
    if (typeof read === 'string') problems.tags = read;
    else change.tags = read;
  }
  if (collection.on && collection.id === null) problems.collection = texts.form.collectionMissing;
  else if (collection.on && collection.id !== null) change.collectionId = collection.id;
  if (publication.on) {
    const read = readPublication(publication);
    if (typeof read === 'string') problems.publication = read;
    else change.publication = read;
  }
  return { change, problems };
}

function readTags({ action, add, remove }: ChangeDraft['tags']): NonNullable<BulkChange['tags']> | string {
  if (action === 'replace') return { kind: 'replace', tags: [...add] };
  if (add.length + remove.length === 0) return texts.form.tagsMissing;
  return { kind: 'change', add: [...add], remove: [...remove] };
}

function readPublication({ action, at }: ChangeDraft['publication']): NonNullable<BulkChange['publication']> | string {
  if (action !== 'at') return { kind: action };
  return at === null ? texts.form.timeMissing : { kind: 'at', at };
}

/** Whether the form would write anything. */
export function hasTicks(draft: ChangeDraft): boolean {
  return Object.values(draft).some(({ on }) => on);
}

/** Returns the change of a text field, or what is wrong with the form of it. */
function readText(field: TextField, { action, text, find, matchCase }: TextDraft): TextChange | string {
  // A description is HTML: typed text is escaped, and whole texts become paragraphs.
  const isHtml = field === 'description';
  switch (action) {
    case 'set':
      if (text.trim() === '') return field === 'title' ? texts.form.titleMissing : { kind: 'clear' };
      return { kind: 'set', value: isHtml ? plainToHtml(text) : text.trim() };
    case 'clear':
      return field === 'title' ? texts.form.titleMissing : { kind: 'clear' };
    case 'prefix':
    case 'suffix':
      if (text === '') return texts.form.textMissing;
      return { kind: action, text: isHtml ? plainToHtml(text) : text };
    case 'replace': {
      if (find === '') return texts.form.findMissing;
      const inField = isHtml ? escapeHtml : (typed: string) => typed;
      return { kind: 'replace', find: inField(find), replaceWith: inField(text), matchCase };
    }
  }
}
