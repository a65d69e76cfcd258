import { setImmediate as nextTurn } from 'node:timers/promises';
import type { MediaItem } from '../../../../shared/api/media.ts';
import { type AppError, appError } from '../../../../shared/contract/app-error.ts';
import {
  type BulkChange,
  type EditFieldChange,
  type EditPlan,
  type EditSelection,
  MOST_EDITED_ITEMS,
} from '../../../../shared/contract/edits.ts';
import type { MediaQuery } from '../../../../shared/contract/library.ts';
import type { SeriesNote } from '../../../../shared/contract/series.ts';
import { ITEM_FIELD } from '../../../../shared/item/fields.ts';
import { type PlanProblem, planItem } from '../../../../shared/model/edits/bulk-change.ts';
import { currentValuesOf } from '../../../../shared/model/edits/current-values.ts';
import {
  type EditableMedia,
  type EditField,
  type EditOp,
  editableOf,
  fieldOf,
} from '../../../../shared/model/edits/edit-ops.ts';
import { fold } from '../../../../shared/model/edits/fold.ts';
import { fieldValueOf } from '../../../../shared/model/edits/verdicts.ts';
import { inSeriesOrder } from '../../../../shared/model/series/series-order.ts';
import type { SiteClient } from '../../api/http-client.ts';
import type { Mirrors } from '../../mirror/mirrors.ts';
import type { Clock } from '../../ports/clock.ts';
import type { NewEdit } from '../journal/edit-store.ts';
import { readByIds } from './read-by-id.ts';
import { storedChange, timedChange } from './timed-change.ts';

/** An item as the user sees it, and as the library has it (`source`: with all its values). */
interface SelectedItem {
  readonly effective: EditableMedia;
  readonly truth: EditableMedia;
  readonly source: MediaItem;
}

/** The items of a selection. */
export interface SelectedItems {
  siteId: string;
  items: SelectedItem[];
  /** Ids that the library does not have. */
  missing: number;
}

export interface ReadTools {
  clock: Clock;
  mirrors: Mirrors;
  clientFor(siteId: string): SiteClient;
  /** The items of a query, in its order. */
  itemsOf(query: MediaQuery): AsyncIterable<MediaItem>;
  /** The open ops of an item. */
  pendingOps(siteId: string, entityId: string): EditOp[];
  /** Calls a listener with the items whose edits change. Returns the function that unsubscribes. */
  onDidEdit(listener: (siteId: string, entityId: string) => void): () => void;
  onProgress(progress: { siteId: string; read: number; total: number | null }): void;
}

/** Items per turn of the event loop: the engine sends and answers while thousands of items are read and planned. */
const SLICE = 1000;
const PROGRESS_EVERY_MS = 100;
/** How often items are read again at most, while their edits are being sent. */
const MOST_ROUNDS = 3;

/** The maximum number of items for a caller. No more are read. */
export interface SelectionLimit {
  most: number;
  tooMany(): AppError;
}

/**
 * Reads the items of a selection: from the local copy where it has them, otherwise from the library. Throws the error of `limit`
 * as soon as the selection is known to have more.
 */
export async function readSelectedItems(
  selection: EditSelection,
  tools: ReadTools,
  limit: SelectionLimit | null = null,
): Promise<SelectedItems> {
  const { siteId } = selection;
  const check = (count: number) => {
    if (limit !== null && count > limit.most) throw limit.tooMany();
  };
  if ('ids' in selection) check(new Set(selection.ids).size);
  const progress = throttledProgress(siteId, tools);
  const edited = new Set<string>();
  const end = tools.onDidEdit((ofSite, id) => {
    if (ofSite === siteId) edited.add(id);
  });
  try {
    const found =
      'ids' in selection
        ? await byIds(siteId, selection.ids, tools, progress)
        : await byQuery(selection, tools, progress, check);
    const items = await readAgain(siteId, found, edited, tools);
    progress.end();
    const wanted = 'ids' in selection ? new Set(selection.ids).size : found.length;
    return {
      siteId,
      missing: wanted - items.length,
      items: items.flatMap((found) => selectedItem(found, tools.pendingOps(siteId, found.id)) ?? []),
    };
  } finally {
    end();
  }
}

/** An item that was read. It is parsed only when a caller needs its values, because parsing is most of the work. */
interface FoundItem {
  id: string;
  read(): MediaItem;
}

const foundItem = (item: MediaItem): FoundItem => ({ id: item.id, read: () => item });

/** Returns an item with its open ops applied; null when one of them deletes it. */
function selectedItem({ read }: FoundItem, ops: readonly EditOp[]): SelectedItem | null {
  if (ops.length === 0) return new UnchangedItem(read);
  const source = read();
  const truth = editableOf(source);
  const effective = fold(truth, ops);
  return effective === null ? null : { effective, truth, source };
}

/** An item without open edits. */
class UnchangedItem implements SelectedItem {
  readonly #read: () => MediaItem;
  #source: MediaItem | null = null;
  #truth: EditableMedia | null = null;

  constructor(read: () => MediaItem) {
    this.#read = read;
  }

  get source(): MediaItem {
    this.#source ??= this.#read();
    return this.#source;
  }

  get truth(): EditableMedia {
    this.#truth ??= editableOf(this.source);
    return this.#truth;
  }

  get effective(): EditableMedia {
    return this.truth;
  }
}

/**
 * Reads the items again whose edits were sent meanwhile: a plan based on the older values would ask about the user's own values.
 * `edited`: the ids of items whose edits were sent; more are added while this function reads.
 */
async function readAgain(
  siteId: string,
  items: readonly FoundItem[],
  edited: Set<string>,
  tools: ReadTools,
): Promise<FoundItem[]> {
  let all = [...items];
  for (let round = 0; round < MOST_ROUNDS; round += 1) {
    const ids = all.flatMap(({ id }) => (edited.has(id) ? [id] : []));
    edited.clear();
    if (ids.length === 0) break;
    const again = new Map((await byIds(siteId, ids, tools, NO_PROGRESS)).map((item) => [item.id, item]));
    const isAsked = new Set(ids);
    all = all.flatMap((item) => (isAsked.has(item.id) ? (again.get(item.id) ?? []) : [item]));
  }
  return all;
}

interface Progress {
  note(read: number, total: number | null): void;
  end(): void;
}

const NO_PROGRESS: Progress = { note: () => {}, end: () => {} };

function throttledProgress(siteId: string, { clock, onProgress }: ReadTools): Progress {
  let last = Number.NEGATIVE_INFINITY;
  let latest: { read: number; total: number | null } | null = null;
  return {
    note(read, total) {
      latest = { read, total };
      if (clock.monotonic() - last < PROGRESS_EVERY_MS) return;
      last = clock.monotonic();
      onProgress({ siteId, ...latest });
    },
    end() {
      if (latest !== null) onProgress({ siteId, ...latest });
    },
  };
}

async function byIds(
  siteId: string,
  ids: readonly string[],
  tools: ReadTools,
  progress: Progress,
): Promise<FoundItem[]> {
  const wanted = [...new Set(ids)];
  const found = new Map<string, FoundItem>();
  for (let at = 0; at < wanted.length; at += SLICE) {
    if (at > 0) await nextTurn();
    const stored = tools.mirrors.storedItems(siteId, wanted.slice(at, at + SLICE));
    for (const [id, read] of stored) found.set(id, { id, read });
    progress.note(found.size, wanted.length);
  }
  const unknown = wanted.filter((id) => !found.has(id));
  const known = found.size;
  const read = await readByIds(tools.clientFor(siteId), unknown, (ids) => progress.note(known + ids, wanted.length));
  for (const [id, item] of read) found.set(id, { ...foundItem(item), id });
  return wanted.flatMap((id) => found.get(id) ?? []);
}

async function byQuery(
  { siteId, query, except }: Extract<EditSelection, { query: unknown }>,
  tools: ReadTools,
  progress: Progress,
  check: (count: number) => void,
): Promise<FoundItem[]> {
  const left = new Set(except);
  const known = tools.mirrors.ids({ ...query, siteId }, MOST_EDITED_ITEMS);
  if (known !== null) {
    const ids = known.filter((id) => !left.has(id));
    check(ids.length);
    return byIds(siteId, ids, tools, progress);
  }
  const items: FoundItem[] = [];
  const seen = new Set<string>();
  for await (const item of tools.itemsOf({ ...query, siteId })) {
    if (left.has(item.id) || seen.has(item.id)) continue;
    // A list that changes while it is read can contain an item on two pages.
    seen.add(item.id);
    items.push(foundItem(item));
    check(items.length);
    progress.note(items.length, null);
    if (items.length >= MOST_EDITED_ITEMS) break;
  }
  return items;
}

/** The effect of a change on each item of a selection. */
export interface Plan {
  selected: SelectedItems;
  /** null: each item has changes of its own, as in an import. */
  change: BulkChange | null;
  /** Items with a problem first, then items that change. */
  rows: PlannedRow[];
  unchanged: number;
}

interface PlannedRow {
  readonly item: EditableMedia;
  readonly ops: EditOp[];
  problem: PlanProblem | null;
  /** What is special about its time in a series. */
  notes?: readonly SeriesNote[];
}

/**
 * Plans a change for every item of a selection, with the same function for the review and for the job. `nowMs`: the time of this
 * computer. Throws `edit.series-too-long` and `edit.series-without-time`.
 */
export async function planSelection(selected: SelectedItems, given: BulkChange, nowMs: number): Promise<Plan> {
  if (given.delete === true) {
    return { selected, change: given, unchanged: 0, rows: selected.items.map((item) => new PlannedDeletion(item)) };
  }
  const changeOf = timedChange(given, selected.items.length, nowMs);
  const problems: PlannedRow[] = [];
  const changed: PlannedRow[] = [];
  let unchanged = 0;
  const { publication } = given;
  const order = publication?.kind === 'series' ? (publication.order ?? 'listed') : 'listed';
  const items = inSeriesOrder(selected.items, order, ({ effective }) => effective.title);
  for (const [at, { effective, truth }] of items.entries()) {
    if (at % SLICE === SLICE - 1) await nextTurn();
    const { change, notes } = changeOf(at);
    const { ops, problem } = planItem(effective, change, truth);
    if (problem !== null) problems.push({ item: effective, ops, problem });
    else if (ops.length > 0) changed.push({ item: effective, ops, problem, notes });
    else unchanged += 1;
  }
  return { selected, change: storedChange(given), rows: [...problems, ...changed], unchanged };
}

/** A deletion never fails in a plan. Its item is parsed, and hashed for its op, when that is first needed. */
class PlannedDeletion implements PlannedRow {
  readonly problem = null;
  readonly #selected: SelectedItem;
  #ops: EditOp[] | null = null;

  constructor(selected: SelectedItem) {
    this.#selected = selected;
  }

  get item(): EditableMedia {
    return this.#selected.effective;
  }

  get ops(): EditOp[] {
    this.#ops ??= planItem(this.item, { delete: true }, this.#selected.truth).ops;
    return this.#ops;
  }
}

/** Returns the edits of a plan, without those of some items and of items with a problem. */
export async function editsOf({ rows }: Plan, except: ReadonlySet<string>): Promise<NewEdit[]> {
  const edits: NewEdit[] = [];
  for (const [at, row] of rows.entries()) {
    if (at % SLICE === SLICE - 1) await nextTurn();
    if (row.problem !== null || except.has(row.item.id)) continue;
    const ops = row.ops.map((op) => ({ op, outcome: null }));
    edits.push({ entityId: row.item.id, name: row.item.title, ops });
  }
  return edits;
}

type PlanSummary = Omit<EditPlan, 'planId' | 'offset' | 'rows'>;

/** A plan does not change: its counts are made once for all its pages. */
const summaries = new WeakMap<Plan, PlanSummary>();

/** Returns a plan as the screen shows it, with one page of its rows. */
export function shownPlan(planId: string, plan: Plan, offset: number, limit: number): EditPlan {
  let summary = summaries.get(plan);
  if (summary === undefined) {
    summary = summaryOf(plan);
    summaries.set(plan, summary);
  }
  return {
    planId,
    ...summary,
    offset,
    rows: plan.rows.slice(offset, offset + limit).map(({ item, ops, problem, notes }) => ({
      entityId: item.id,
      name: item.title,
      changes: changesOf(item, ops),
      problem: problem === null ? null : appError(`edit.${problem}`).toData(),
      ...(notes === undefined || notes.length === 0 ? {} : { notes: [...notes] }),
    })),
  };
}

function summaryOf({ selected, change, rows, unchanged }: Plan): PlanSummary {
  const byField: Partial<Record<EditField, number>> = {};
  if (change?.delete === true) byField.item = rows.length;
  else {
    for (const { ops } of rows) {
      for (const field of new Set(ops.map(fieldOf))) byField[field] = (byField[field] ?? 0) + 1;
    }
  }
  // No form shows the values of items that are deleted, so they are not parsed.
  const current = currentValuesOf(change?.delete === true ? [] : selected.items.map(({ effective }) => effective));
  const problems = rows.filter(({ problem }) => problem !== null).length;
  return {
    items: selected.items.length,
    changed: rows.length - problems,
    unchanged,
    problems,
    missing: selected.missing,
    byField,
    total: rows.length,
    current: { ...current, tags: current.tags.slice(0, ITEM_FIELD.tags.most) },
  };
}

/** Returns the changes of ops in an item, one entry for each field. */
function changesOf(item: EditableMedia, ops: readonly EditOp[]): EditFieldChange[] {
  const after = fold(item, ops);
  const byField = new Map(ops.map((op) => [fieldOf(op), op]));
  return [...byField].map(([field, op]) => ({
    field,
    before: field === 'item' ? item.title : fieldValueOf(op, item),
    after: after === null ? null : fieldValueOf(op, after),
  }));
}
