import type { BulkChange, RecipeChange, TextChange } from '../../../../../shared/contract/edits.ts';
import { ITEM_FIELD, recordOf, TEXT_FIELDS, type TextFieldKey } from '../../../../../shared/item/fields.ts';
import { plainToHtml } from '../../../../../shared/model/description.ts';
import { escapeHtml } from '../../../../../shared/model/escape-html.ts';
import {
  NO_TEMPLATES,
  type RecipeProblems,
  type RecipeText,
  recipeOf,
  typedProblems,
} from '../../../common/state/recipe-text.ts';
import { texts } from '../texts.ts';

export type TextAction = TextChange['kind'];

/** The form of a text field. Only a field whose `on` is true is written. */
export interface TextDraft {
  on: boolean;
  action: TextAction;
  text: string;
  find: string;
  matchCase: boolean;
}

/** The form of a recipe. */
export interface RecipeDraft extends RecipeText {
  on: boolean;
  from: TextFieldKey;
}

/** The form for several items. */
export interface ChangeDraft extends Record<TextFieldKey, TextDraft> {
  tags: { on: boolean; action: 'change' | 'replace'; add: readonly string[]; remove: readonly string[] };
  collection: { on: boolean; id: string | null };
  /** `at`: an instant in ISO 8601; null while the field has no valid time. */
  publication: { on: boolean; action: 'now' | 'at' | 'unpublish'; at: string | null };
  recipe: RecipeDraft;
}

const TEXT: TextDraft = { on: false, action: 'set', text: '', find: '', matchCase: false };

export const EMPTY_CHANGE: ChangeDraft = {
  ...recordOf(TEXT_FIELDS, () => TEXT),
  tags: { on: false, action: 'change', add: [], remove: [] },
  collection: { on: false, id: null },
  publication: { on: false, action: 'now', at: null },
  recipe: {
    on: false,
    from: 'title',
    pattern: '',
    hasUnderscores: true,
    templates: NO_TEMPLATES,
  },
};

export type ChangeProblems = Partial<Record<Exclude<keyof ChangeDraft, 'recipe'>, string>> & {
  recipe?: RecipeProblems;
};

/** Returns the change that a form describes, and the problems to correct first, by field. */
export function readDraftChange(draft: ChangeDraft): { change: BulkChange; problems: ChangeProblems } {
  const change: BulkChange = {};
  const problems: ChangeProblems = {};
  for (const field of TEXT_FIELDS) {
    if (!draft[field].on) continue;
    const read = readText(field, draft[field]);
    if (typeof read === 'string') problems[field] = read;
    else change[field] = read;
  }
  const { tags, collection, publication } = draft;
  const take = <K extends 'tags' | 'collection' | 'publication'>(place: K, read: Partial<BulkChange> | string) => {
    if (typeof read === 'string') problems[place] = read;
    else Object.assign(change, read);
  };
  if (tags.on) take('tags', readTags(tags));
  if (collection.on) take('collection', readCollection(collection));
  if (publication.on) take('publication', readPublication(publication));
  if (draft.recipe.on) {
    const read = readRecipe(draft.recipe);
    if ('problems' in read) problems.recipe = read.problems;
    else change.recipe = read.recipe;
  }
  return { change, problems };
}

/** Returns the recipe that its form describes, or the problems to correct first, by position in the form. */
export function readRecipe(draft: RecipeDraft): { recipe: RecipeChange } | { problems: RecipeProblems } {
  const recipe = { from: draft.from, ...recipeOf(draft) };
  const problems = typedProblems(draft);
  if (Object.keys(problems).length > 0) return { problems };
  if (draft.pattern === '') return { problems: { pattern: texts.selection.form.patternMissing } };
  return Object.keys(recipe.fields).length === 0
    ? { problems: { title: texts.selection.form.templateMissing } }
    : { recipe };
}

function readTags({ action, add, remove }: ChangeDraft['tags']): Pick<BulkChange, 'tags'> | string {
  if (action === 'replace') return { tags: { kind: 'replace', tags: [...add] } };
  if (add.length + remove.length === 0) return texts.selection.form.tagsMissing;
  return { tags: { kind: 'change', add: [...add], remove: [...remove] } };
}

function readCollection({ id }: ChangeDraft['collection']): Pick<BulkChange, 'collectionId'> | string {
  return id === null ? texts.selection.form.collectionMissing : { collectionId: id };
}

function readPublication({ action, at }: ChangeDraft['publication']): Pick<BulkChange, 'publication'> | string {
  if (action !== 'at') return { publication: { kind: action } };
  return at === null ? texts.selection.form.timeMissing : { publication: { kind: 'at', at } };
}

/** Returns whether the form selects any field to write. */
export function hasTicks(draft: ChangeDraft): boolean {
  return Object.values(draft).some(({ on }) => on);
}

/** Returns the change of a text field, or the problem in its form. */
function readText(field: TextFieldKey, { action, text, find, matchCase }: TextDraft): TextChange | string {
  // In HTML, text is escaped, and whole texts.selection become paragraphs.
  const isHtml = ITEM_FIELD[field].kind === 'html';
  switch (action) {
    case 'set':
      if (text.trim() === '')
        return ITEM_FIELD[field].isRequired ? texts.selection.form.titleMissing : { kind: 'clear' };
      return { kind: 'set', value: isHtml ? plainToHtml(text) : text.trim() };
    case 'clear':
      return ITEM_FIELD[field].isRequired ? texts.selection.form.titleMissing : { kind: 'clear' };
    case 'prefix':
    case 'suffix':
      if (text === '') return texts.selection.form.textMissing;
      return { kind: action, text: isHtml ? plainToHtml(text) : text };
    case 'replace': {
      if (find === '') return texts.selection.form.findMissing;
      const inField = isHtml ? escapeHtml : (typed: string) => typed;
      return { kind: 'replace', find: inField(find), replaceWith: inField(text), matchCase };
    }
  }
}
