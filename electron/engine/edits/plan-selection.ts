import type { MediaItem } from '../../../shared/api/media.ts';
import { AppError, appError } from '../../../shared/contract/app-error.ts';
import {
  type BulkChange,
  type EditFieldChange,
  type EditPlan,
  type EditSelection,
  MOST_EDITED_ITEMS,
} from '../../../shared/contract/edits.ts';
import type { ErrorCode } from '../../../shared/contract/error-catalog.ts';
import type { MediaQuery } from '../../../shared/contract/library.ts';
import { type PlanProblem, planItem } from '../../../shared/model/edits/bulk-change.ts';
import { currentValuesOf } from '../../../shared/model/edits/current-values.ts';
import {
  type EditableMedia,
  type EditField,
  type EditOp,
  editableOf,
  fieldOf,
} from '../../../shared/model/edits/edit-ops.ts';
import { fold } from '../../../shared/model/edits/fold.ts';
import { fieldValueOf } from '../../../shared/model/edits/replay.ts';
import { ITEM_LIMITS } from '../../../shared/model/item-limits.ts';
import type { SiteClient } from '../api/http-client.ts';
import { getMedia } from '../api/media.ts';
import { inParallel } from '../common/in-parallel.ts';
import type { LibraryMirror } from '../mirror/library-mirror.ts';
import type { Clock } from '../ports/clock.ts';

/** The items of a selection as the user sees them, and as the library has them (`source`: with all its facts). */
export interface SelectedItems {
  siteId: string;
  items: { effective: EditableMedia; truth: EditableMedia; source: MediaItem }[];
  /** Ids that the library does not have. */
  missing: number;
}

export interface ReadTools {
  clock: Clock;
  mirror: LibraryMirror;
  clientFor(siteId: string): SiteClient;
  /** The items of a query, in its order. */
  itemsOf(query: MediaQuery): AsyncIterable<MediaItem>;
  /** The open ops of an item. */
  pendingOps(siteId: string, entityId: string): EditOp[];
  /** Calls a listener with the items whose edits change. Returns how to end that. */
  onDidEdit(listener: (siteId: string, entityId: string) => void): () => void;
  onProgress(progress: { siteId: string; read: number; total: number | null }): void;
}

/** The library does not have an item, or does not show it to this account. */
const NOT_SHOWN: ReadonlySet<ErrorCode> = new Set(['api.not-found', 'api.forbidden']);

/** Items read at the same time where the library offers no list of ids. */
const READS_AT_ONCE = 4;
const PROGRESS_EVERY_MS = 100;
/** While edits are sent all the time, items are read again at most so often. */
const MOST_ROUNDS = 3;

/** Reads the items of a selection: from the local copy where it has them, otherwise from the library. */
export async function readSelection(selection: EditSelection, tools: ReadTools): Promise<SelectedItems> {
  const { siteId } = selection;
  const progress = throttledProgress(siteId, tools);
  const edited = new Set<string>();
  const end = tools.onDidEdit((ofSite, id) => {
    if (ofSite === siteId) edited.add(id);
  });
  try {
    const found =
      'ids' in selection
        ? await byIds(siteId, selection.ids, tools, progress)
        : await byQuery(selection, tools, progress);
    const items = await readAgain(siteId, found, edited, tools);
    progress.end();
    const wanted = 'ids' in selection ? new Set(selection.ids).size : found.length;
    return {
      siteId,
      missing: wanted - items.length,
      items: items.flatMap((item) => {
        const truth = editableOf(item);
        const effective = fold(truth, tools.pendingOps(siteId, item.id));
        return effective === null ? [] : [{ effective, truth, source: item }];
      }),
    };
  } finally {
    end();
  }
}

/**
 * Reads the items again whose edits were sent meanwhile: a plan on top of the older values would ask about the own ones.
 * `edited` collects further ones.
 */
async function readAgain(
  siteId: string,
  items: readonly MediaItem[],
  edited: Set<string>,
  tools: ReadTools,
): Promise<MediaItem[]> {
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
): Promise<MediaItem[]> {
  const wanted = [...new Set(ids)];
  const known = tools.mirror.items(siteId, wanted);
  const found = new Map(known);
  const client = tools.clientFor(siteId);
  const unknown = wanted.filter((id) => !known.has(id));
  await inParallel(unknown, READS_AT_ONCE, async (id) => {
    try {
      found.set(id, await getMedia(client, id));
    } catch (error) {
      if (!(error instanceof AppError) || !NOT_SHOWN.has(error.code)) throw error;
    }
    progress.note(found.size, wanted.length);
  });
  return wanted.flatMap((id) => found.get(id) ?? []);
}

async function byQuery(
  { siteId, query, except }: Extract<EditSelection, { query: unknown }>,
  tools: ReadTools,
  progress: Progress,
): Promise<MediaItem[]> {
  const left = new Set(except);
  const known = tools.mirror.ids({ ...query, siteId }, MOST_EDITED_ITEMS);
  if (known !== null)
    return byIds(
      siteId,
      known.filter((id) => !left.has(id)),
      tools,
      progress,
    );
  const items: MediaItem[] = [];
  const seen = new Set<string>();
  for await (const item of tools.itemsOf({ ...query, siteId })) {
    if (left.has(item.id) || seen.has(item.id)) continue;
    // A list that changes while it is read can contain an item on two pages.
    seen.add(item.id);
    items.push(item);
    progress.note(items.length, null);
    if (items.length >= MOST_EDITED_ITEMS) break;
  }
  return items;
}

/** What a change does to each item of a selection. */
export interface Plan {
  selected: SelectedItems;
  /** null: each item has changes of its own, as in an import. */
  change: BulkChange | null;
  /** Items with a problem first, then those that change. */
  rows: PlannedRow[];
  unchanged: number;
}

interface PlannedRow {
  item: EditableMedia;
  ops: EditOp[];
  problem: PlanProblem | null;
}

/** Plans a change for every item of a selection, with the same function for the review and for the job. */
export function planSelection(selected: SelectedItems, change: BulkChange): Plan {
  const problems: PlannedRow[] = [];
  const changed: PlannedRow[] = [];
  let unchanged = 0;
  for (const { effective, truth } of selected.items) {
    const { ops, problem } = planItem(effective, change, truth);
    if (problem !== null) problems.push({ item: effective, ops, problem });
    else if (ops.length > 0) changed.push({ item: effective, ops, problem });
    else unchanged += 1;
  }
  return { selected, change, rows: [...problems, ...changed], unchanged };
}

/** Returns a plan as the screen shows it, with one page of its rows. */
export function shownPlan(planId: string, plan: Plan, offset: number, limit: number): EditPlan {
  const { selected, rows, unchanged } = plan;
  const byField: Partial<Record<EditField, number>> = {};
  for (const { ops } of rows) {
    for (const field of new Set(ops.map(fieldOf))) byField[field] = (byField[field] ?? 0) + 1;
  }
  const current = currentValuesOf(selected.items.map(({ effective }) => effective));
  const problems = rows.filter(({ problem }) => problem !== null).length;
  return {
    ...{ planId, items: selected.items.length, changed: rows.length - problems, unchanged, problems },
    ...{ missing: selected.missing, byField, total: rows.length, offset },
    current: { ...current, tags: current.tags.slice(0, ITEM_LIMITS.tags) },
    rows: rows.slice(offset, offset + limit).map(({ item, ops, problem }) => ({
      entityId: item.id,
      name: item.title,
      changes: changesOf(item, ops),
      problem: problem === null ? null : appError(`edit.${problem}`).toData(),
    })),
  };
}

/** Returns what ops change in an item, one entry for each field. */
function changesOf(item: EditableMedia, ops: readonly EditOp[]): EditFieldChange[] {
  const after = fold(item, ops);
  const byField = new Map(ops.map((op) => [fieldOf(op), op]));
  return [...byField].map(([field, op]) => ({
    field,
    before: field === 'item' ? item.title : fieldValueOf(op, item),
    after: after === null ? null : fieldValueOf(op, after),
  }));
}

/** How long a plan can be applied after its last use. */
const KEPT_MS = 10 * 60_000;
const MOST_PLANS = 4;
/** Items that were read for a selection are used again for another change within this time. */
const FRESH_MS = 60_000;

interface Kept<T> {
  value: T;
  at: number;
}

/** Plans that a screen shows, and the items that were read for them. */
export class PlanCache {
  readonly #clock: Clock;
  readonly #plans = new Map<string, Kept<Plan>>();
  readonly #selections = new Map<string, Kept<Promise<SelectedItems>>>();

  constructor(clock: Clock) {
    this.#clock = clock;
  }

  plan(planId: string): Plan | null {
    return use(this.#plans, planId, this.#clock.monotonic(), KEPT_MS);
  }

  keep(planId: string, plan: Plan): void {
    keep(this.#plans, planId, plan, this.#clock.monotonic());
  }

  /** Returns the items of a selection that was read a moment ago, otherwise reads them. */
  selection(selection: EditSelection, read: () => Promise<SelectedItems>): Promise<SelectedItems> {
    const key = JSON.stringify(selection);
    const known = this.#selections.get(key);
    if (known !== undefined && this.#clock.monotonic() - known.at < FRESH_MS) return known.value;
    const reading = read();
    keep(this.#selections, key, reading, this.#clock.monotonic());
    reading.catch(() => this.#selections.delete(key));
    return reading;
  }

  /** Something changed: items are read again. Plans keep what was reviewed. */
  forgetItems(): void {
    this.#selections.clear();
  }
}

function use<T>(map: Map<string, Kept<T>>, key: string, now: number, keptMs: number): T | null {
  const known = map.get(key);
  if (known === undefined || now - known.at > keptMs) return null;
  map.delete(key);
  map.set(key, { value: known.value, at: now });
  return known.value;
}

function keep<T>(map: Map<string, Kept<T>>, key: string, value: T, at: number): void {
  map.set(key, { value, at });
  for (const oldest of map.keys()) {
    if (map.size <= MOST_PLANS) return;
    map.delete(oldest);
  }
}
