import type { ListedFile } from '../../../../shared/contract/upload-files.ts';
import { CHECKED } from '../../../../shared/model/grid/cell-text.ts';
import type { GridModel } from '../../../../shared/model/grid/grid-model.ts';
import { composeTitle } from '../../../../shared/model/title-template.ts';
import { type TableOptions, titleFactsOf, usesContents } from './add-files.ts';
import { type KnownContents, NOTHING_KNOWN, readContents } from './file-contents.ts';

/**
 * The table is built again when the number of known files has grown by this factor: building it for each part would take too long
 * for many files.
 */
const GROWTH = 1.3;

/** The running read of data inside files, and the files that it reads. */
let reading: { files: readonly ListedFile[]; end: () => void } | null = null;

/**
 * Reads data inside files, if their titles depend on it and no read of the same files is running. `roots`: the files and folders that the user added. `known`: the contents that need
 * no reading. Reports all known contents after each part; `isWorthShowing`: whether their number has grown enough to build the
 * table again.
 */
export function readForTitles(
  files: readonly ListedFile[],
  roots: readonly string[],
  titleTemplate: string,
  known: KnownContents,
  onContents: (contents: KnownContents, isWorthShowing: boolean) => void,
  onError: (thrown: unknown) => void,
): void {
  const isNeeded = usesContents(titleTemplate);
  if (isNeeded && reading?.files === files) return;
  endReading();
  if (!isNeeded) return;
  let next = known.size;
  const readable = files.filter(hasTitle).length;
  const report = (contents: KnownContents) => {
    const { size } = contents;
    const isWorthShowing = size >= next || size >= readable;
    if (isWorthShowing) next = size * GROWTH + 1;
    onContents(contents, isWorthShowing);
  };
  const fail = (thrown: unknown) => {
    // The next change of the template tries again.
    reading = null;
    onError(thrown);
  };
  reading = { files, end: readContents(files, roots, report, fail, known) };
}

export function endReading(): void {
  reading?.end();
  reading = null;
}

/** The state of titles that depend on data inside the files, for a note in the sheet. */
export interface TitleState {
  /** Files that can be added. */
  files: number;
  /** The number of these files whose contents are unknown yet. */
  pending: number;
  /** The number of files whose title is their name, because they have no value for a token; 0 while any file is pending. */
  fallbacks: number;
}

/** Returns the state of the titles of a table; null when the titles do not depend on data inside the files. */
export function titleState(
  table: GridModel,
  files: readonly ListedFile[],
  { titleTemplate, contents = NOTHING_KNOWN, descriptions }: TableOptions,
): TitleState | null {
  if (!usesContents(titleTemplate)) return null;
  const [addAt, titleAt] = ['add', 'title'].map((name) => table.columns.findIndex(({ key }) => key === name));
  const state: TitleState = { files: 0, pending: 0, fallbacks: 0 };
  for (const file of files) {
    if (!hasTitle(file)) continue;
    state.files += 1;
    if (!contents.has(file.path)) state.pending += 1;
  }
  // Composing all titles again after each part would take too long for many files.
  if (state.pending > 0) return state;
  for (const [index, file] of files.entries()) {
    const known = contents.get(file.path);
    if (!hasTitle(file) || known === undefined) continue;
    const cells = table.rows[index]?.cells;
    const isOwn = descriptions?.get(file.path)?.fields.title !== undefined;
    const isChanged = titleAt === undefined || cells?.[titleAt] !== table.base[index]?.cells[titleAt];
    if (addAt === undefined || cells?.[addAt] !== CHECKED || isOwn || isChanged) continue;
    if (composeTitle(titleTemplate, titleFactsOf(file, 1, known)).missing.length > 0) state.fallbacks += 1;
  }
  return state;
}

/** Whether a file becomes an item. */
function hasTitle({ problem, late }: ListedFile): boolean {
  return problem === null && late === undefined;
}
