import { create } from 'zustand';
import type { CallInput, CallOutput } from '../../../../shared/contract/contract.ts';
import type { SimilarItem } from '../../../../shared/contract/title-calls.ts';
import { cutText, ITEM_FIELD } from '../../../../shared/item/fields.ts';
import { CHECKED, UNCHECKED } from '../../../../shared/model/grid/cell-text.ts';
import { change } from '../../../../shared/model/grid/grid-changes.ts';
import type { GridModel } from '../../../../shared/model/grid/grid-model.ts';
import { continuedTitle, continuesAlone, type TitleSeries } from '../../../../shared/model/titles/title-series.ts';
import { shownSeconds } from '../../../../shared/model/waveform/waveform.ts';
import { delayed } from '../../../kit/async/delayed.ts';
import { latestOnly } from '../../../kit/async/latest-only.ts';
import { call } from '../../../kit/bridge/bridge.ts';
import { showError } from '../../common/state/messages-store.ts';
import { ownCollections } from './add-files.ts';
import { changeTable, useAdd } from './add-store.ts';
import { useLocalSound } from './local-sound.ts';

/** An item that may be the same as a file of the sheet. */
export interface SimilarTo {
  item: SimilarItem;
  /** The titles differ in letter case, accents, spaces and punctuation only. */
  isEqual: boolean;
}

type NewTitles = CallInput<'library.similarItems'>['titles'];

interface TitleChecks {
  /** By path of the file. */
  similar: ReadonlyMap<string, SimilarTo>;
  /** The numbered titles of the collection of the sheet. */
  series: { collectionId: string; found: TitleSeries } | null;
}

const NOTHING: TitleChecks = { similar: new Map(), series: null };
/** The user may still be typing the template of the titles. */
const TYPING_MS = 500;

/** What the titles of the sheet have in common with those of the library. */
export const useTitleChecks = create<TitleChecks>(() => NOTHING);

const comparisons = latestOnly();
const seriesRequests = latestOnly();
const comparing = delayed(() => void compareTitles(), TYPING_MS);

/** Compares the titles of the sheet with the library when the user has stopped changing them. */
export function checkTitles(): void {
  comparing.postpone();
}

/** Forgets everything: the sheet is closed. */
export function endTitleChecks(): void {
  comparing.cancel();
  comparisons.cancel();
  seriesRequests.cancel();
  useTitleChecks.setState(NOTHING);
}

async function compareTitles(): Promise<void> {
  const { siteId } = useAdd.getState();
  const titles = titlesToAdd();
  const request = comparisons.begin();
  if (siteId === null || titles.length === 0) return useTitleChecks.setState({ similar: NOTHING.similar });
  try {
    const { similar } = await call('library.similarItems', { siteId, titles });
    if (request.isLatest() && similar !== null) useTitleChecks.setState({ similar: byPath(similar) });
  } catch (thrown) {
    if (request.isLatest()) showError(thrown);
  }
}

function byPath(similar: NonNullable<CallOutput<'library.similarItems'>['similar']>): TitleChecks['similar'] {
  return new Map(similar.map(({ key, item, isEqual }) => [key, { item, isEqual }]));
}

/** Returns the titles of the files that will be added, each with its collection and its length, if that is known. */
function titlesToAdd(): NewTitles {
  const { table, collectionId, descriptions, collections } = useAdd.getState();
  if (table === null) return [];
  const own = ownCollections(table, descriptions, collections);
  const { sounds } = useLocalSound.getState();
  const seconds = new Map(
    sounds.map(({ path, result }) => [path, result?.kind === 'peaks' ? shownSeconds(result) : null]),
  );
  return rowsToAdd(table).flatMap(({ path, title }) => {
    const target = own.get(path) ?? collectionId;
    return target === null || title === ''
      ? []
      : [{ key: path, title, collectionId: target, seconds: seconds.get(path) ?? null }];
  });
}

/** Reads the numbered titles of the collection of the sheet. */
export async function readTitleSeries(): Promise<void> {
  const { siteId, collectionId } = useAdd.getState();
  const request = seriesRequests.begin();
  useTitleChecks.setState({ series: null });
  if (siteId === null || collectionId === null) return;
  try {
    const { series } = await call('library.titleSeries', { siteId, collectionId });
    if (request.isLatest()) useTitleChecks.setState({ series: series && { collectionId, found: series } });
  } catch (thrown) {
    if (request.isLatest()) showError(thrown);
  }
}

interface TitledRow {
  row: number;
  path: string;
  title: string;
}

/** The rows that become new items, in the order of the table. */
function rowsToAdd(table: GridModel): TitledRow[] {
  const [addAt, titleAt] = columnsOf(table);
  return table.rows.flatMap(({ cells }, row) => {
    const base = table.base[row];
    if (base === undefined || base.readOnly === true || cells[addAt] !== CHECKED) return [];
    return [{ row, path: base.id, title: (cells[titleAt] ?? '').trim() }];
  });
}

function columnsOf(table: GridModel): [add: number, title: number] {
  const at = (name: string) => table.columns.findIndex(({ key }) => key === name);
  return [at('add'), at('title')];
}

/**
 * Returns the first title with which the files of a table can continue a series; null when there is no file to add, or when each has
 * a higher number of the series already.
 */
export function offeredTitle(table: GridModel | null, series: TitleSeries): string | null {
  const rows = table === null ? [] : rowsToAdd(table);
  if (rows.every(({ title }) => continuesAlone(series, title))) return null;
  return continuedTitle(series, 0, rows[0]?.title ?? '');
}

/** Numbers the titles of the table after the last one of the series, as one undo step. */
export function continueSeries(series: TitleSeries): void {
  const { table } = useAdd.getState();
  if (table === null) return;
  const [, titleAt] = columnsOf(table);
  const { most } = ITEM_FIELD.title;
  const next = change(table, 'fill', (put) => {
    for (const [index, { row, title }] of rowsToAdd(table).entries()) {
      put(row, titleAt, cutText(continuedTitle(series, index, title), most));
    }
  });
  changeTable(next);
}

/** Adds files, or leaves them out. */
export function leaveOut(paths: ReadonlySet<string>, isLeftOut: boolean): void {
  const { table } = useAdd.getState();
  if (table === null) return;
  const [addAt] = columnsOf(table);
  const next = change(table, 'fill', (put) => {
    for (const [row, { id }] of table.base.entries())
      if (paths.has(id)) put(row, addAt, isLeftOut ? UNCHECKED : CHECKED);
  });
  changeTable(next);
}

/** Returns which of these files the user left out. */
export function leftOutOf(table: GridModel | null, paths: Iterable<string>): ReadonlySet<string> {
  const wanted = new Set(paths);
  const out = new Set<string>();
  if (table === null) return out;
  const [addAt] = columnsOf(table);
  for (const [row, { id }] of table.base.entries()) {
    if (wanted.has(id) && table.rows[row]?.cells[addAt] === UNCHECKED) out.add(id);
  }
  return out;
}
