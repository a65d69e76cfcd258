import type { ListedFile } from '../../../../shared/contract/upload-files.ts';
import { ITEM_FIELD, ITEM_FIELDS, type ItemField, recordOf, TEXT_FIELDS } from '../../../../shared/item/fields.ts';
import { descriptionCell, descriptionOfCell } from '../../../../shared/model/description.ts';
import { CHECKED } from '../../../../shared/model/grid/cell-text.ts';
import { change } from '../../../../shared/model/grid/grid-changes.ts';
import type { GridModel } from '../../../../shared/model/grid/grid-model.ts';
import { rangeOf } from '../../../../shared/model/grid/grid-selection.ts';
import { joinTags, readTags } from '../../../../shared/model/manifest/cells.ts';
import { localFileFacts } from '../../../../shared/model/recipes/local-file-facts.ts';
import { patternOf, tokensOf } from '../../../../shared/model/recipes/name-pattern.ts';
import {
  applyRecipe,
  type CompiledRecipe,
  needsContents,
  type Recipe,
  type RecipeFacts,
  recipeTagsOf,
  usesRecordingDate,
} from '../../../../shared/model/recipes/recipe.ts';
import type { RecordingDate } from '../../../../shared/model/recipes/recording-date.ts';
import { NO_TEMPLATES, type RecipeText, recipeOf } from '../../common/state/recipe-text.ts';
import type { KnownContents } from './file-contents.ts';
import { texts } from './texts.ts';

/** The source of the filled values: a pattern that reads them out of the file names (`read`), or only tokens (`build`). */
export type FillDirection = 'read' | 'build';
/** The rows that are filled. */
export type FillRows = 'all' | 'selected';

/** The form of “Fill from a pattern”. */
export interface FillDraft extends RecipeText {
  direction: FillDirection;
  rows: FillRows;
}

export const EMPTY_FILL: FillDraft = {
  direction: 'read',
  rows: 'all',
  pattern: '',
  hasUnderscores: true,
  templates: NO_TEMPLATES,
};

/** Returns templates for the fields that the pattern reads and that no template of the form builds: `{title}` fills the title. */
export function impliedTemplates({ direction, pattern, templates }: FillDraft): Partial<Record<ItemField, string>> {
  const read = patternOf(direction === 'read' ? pattern : '');
  const tokens = 'parts' in read ? tokensOf(read.parts) : [];
  const fields = ITEM_FIELDS.filter((field) => templates[field] === '' && tokens.includes(field));
  return Object.fromEntries(fields.map((field) => [field, `{${field}}`]));
}

/** Returns the recipe that the form describes. The recipe may be invalid or incomplete. */
export function fillRecipe(draft: FillDraft): Recipe {
  const pattern = draft.direction === 'read' ? draft.pattern : '';
  return recipeOf({ ...draft, pattern, templates: { ...draft.templates, ...impliedTemplates(draft) } });
}

/** The result of the recipe for one row. */
export interface FilledRow {
  row: number;
  fileName: string;
  /** The texts of the filled cells by field, as the table shows them. */
  cells: Partial<Record<ItemField, string>>;
  /** Whether the text of any cell changes. */
  isChanged: boolean;
  /** The date that the recipe uses, with its source; null: the recipe uses no date, or the file has none. */
  recorded: RecordingDate | null;
  /** Whether the contents of the file are unknown yet. */
  isPending: boolean;
  /** The reason why some or all fields of the row are not filled; null when all are filled. */
  problem: string | null;
}

export interface FillPlan {
  rows: readonly FilledRow[];
  /** The number of rows that get another text, and of rows with a problem. */
  changed: number;
  problems: number;
  /** The number of rows whose contents are unknown yet. */
  pending: number;
}

/**
 * Returns the result of a recipe for a table of files. The plan omits rows that can't be uploaded or that the user omitted; `{n}`
 * counts the other rows. `contents`: the known data from inside the files.
 */
export function planFill(
  table: GridModel,
  files: readonly ListedFile[],
  recipe: CompiledRecipe,
  which: FillRows,
  contents: KnownContents = new Map(),
): FillPlan {
  const { top, bottom } = rangeOf(table.selection);
  const columns = columnsOf(table);
  const addAt = table.columns.findIndex(({ key }) => key === 'add');
  const [needs, usesDate] = [needsContents(recipe), usesRecordingDate(recipe)];
  const rows: FilledRow[] = [];
  let number = 0;
  for (const [row, file] of files.entries()) {
    const cells = table.rows[row]?.cells;
    if (cells === undefined || file.problem !== null || cells[addAt] !== CHECKED) continue;
    number += 1;
    if (which === 'selected' && (row < top || row > bottom)) continue;
    const known = contents.get(file.path);
    if (needs && known === undefined) {
      rows.push({ ...emptyRow(row, file), isPending: true });
      continue;
    }
    const facts = localFileFacts(file, number, known, currentOf(cells, columns));
    const filled = filledRow(table, { row, file, cells, columns }, applyRecipe(recipe, facts));
    const reason = filled.problem === null || known?.problem == null ? [] : [texts.fill.contents[known.problem]];
    rows.push({
      ...filled,
      recorded: usesDate ? facts.recorded : null,
      problem: filled.problem === null ? null : [filled.problem, ...reason].join(' '),
    });
  }
  return {
    rows,
    changed: rows.filter(({ isChanged }) => isChanged).length,
    problems: rows.filter(({ problem }) => problem !== null).length,
    pending: rows.filter(({ isPending }) => isPending).length,
  };
}

/** Fills the cells of a plan, as one undo step. The plan must belong to this table. */
export function applyFill(table: GridModel, { rows }: FillPlan): GridModel {
  const columns = columnsOf(table);
  return change(table, 'fill', (put) => {
    for (const { row, cells } of rows) {
      for (const [field, text] of entriesOf(cells)) put(row, columns[field], text);
    }
  });
}

type Columns = Readonly<Record<ItemField, number>>;

function columnsOf(table: GridModel): Columns {
  const at = (field: ItemField) => table.columns.findIndex(({ key }) => key === field);
  return recordOf(ITEM_FIELDS, at);
}

function currentOf(cells: readonly string[], columns: Columns): RecipeFacts['current'] {
  const now = (field: ItemField) => cells[columns[field]] ?? '';
  return {
    ...recordOf(TEXT_FIELDS, (field) =>
      ITEM_FIELD[field].kind === 'html' ? descriptionOfCell(now(field)) : now(field),
    ),
    tags: readTags(now('tags')).join(', '),
  };
}

interface Row {
  row: number;
  file: ListedFile;
  cells: readonly string[];
  columns: Columns;
}

function emptyRow(row: number, { fileName }: ListedFile): FilledRow {
  return { row, fileName, cells: {}, isChanged: false, recorded: null, isPending: false, problem: null };
}

function filledRow(
  table: GridModel,
  { row, file, cells, columns }: Row,
  { read, fields, missing }: ReturnType<typeof applyRecipe>,
): FilledRow {
  const filled = emptyRow(row, file);
  if (read === null) return { ...filled, problem: texts.fill.noMatch };
  const problems = entriesOf(missing).map(([field, tokens]) => texts.fill.missing(texts.columns[field], tokens));
  for (const [field, value] of entriesOf(fields)) {
    const text = cellTextOf(field, value);
    const invalid = table.columns[columns[field]]?.validate?.(text, file.path);
    if (invalid != null) {
      problems.push(texts.fill.invalid(texts.columns[field], invalid));
      continue;
    }
    filled.cells[field] = text;
    if (text !== cells[columns[field]]) filled.isChanged = true;
  }
  return { ...filled, problem: problems.length === 0 ? null : problems.join(' ') };
}

/** Returns the text for a cell: recipes produce HTML for descriptions, and tags separated by commas. */
function cellTextOf(field: ItemField, value: string): string {
  if (field === 'tags') return joinTags(recipeTagsOf(value));
  return field === 'description' ? descriptionCell(value) : value;
}

function entriesOf<T>(values: Partial<Record<ItemField, T>>): [ItemField, T][] {
  return ITEM_FIELDS.flatMap((field): [ItemField, T][] => {
    const value = values[field];
    return value === undefined ? [] : [[field, value]];
  });
}
