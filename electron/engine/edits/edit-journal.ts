import { setImmediate as nextTurn } from 'node:timers/promises';
import type { BulkChange, EditCounts, EditTotals } from '../../../shared/contract/edits.ts';
import { Emitter } from '../common/emitter.ts';
import type { Clock } from '../ports/clock.ts';
import type { Random } from '../ports/random.ts';
import { type EditRecord, type GroupRecord, isOpenState } from './edit-row.ts';
import type { EditStore, NewEdit } from './edit-store.ts';

/** An item with open edits. */
export interface OpenEntity {
  readonly key: string;
  readonly siteId: string;
  readonly entityId: string;
  /** The first open edit waits for a decision: nothing of this item is sent. */
  isBlocked: boolean;
  /** Epoch ms; null: at once. */
  nextAt: number | null;
}

export interface AddOptions {
  /** A caller waits for the result: these items come before all others. */
  isUrgent?: boolean;
}

export interface EditsChanged {
  groupSeq: number;
  siteId: string;
  entityId: string;
}

export interface NewGroup {
  siteId: string;
  label: string;
  change: BulkChange | null;
  undoes: string | null;
  edits: readonly NewEdit[];
}

/** Records per transaction: a hundred thousand at once would block the process for seconds. */
const SLICE_ROWS = 1000;

export function keyOfEntity(siteId: string, entityId: string): string {
  return `${siteId} ${entityId}`;
}

/**
 * The journal of edits: every intent of the user until the library has it, and as history afterwards. A group is stored
 * completely or not at all. Keeps in memory which items have open edits, and the counts of groups in use.
 */
export class EditJournal {
  readonly onDidChange = new Emitter<readonly EditsChanged[]>();
  readonly store: EditStore;
  readonly #clock: Clock;
  readonly #random: Random;
  /** In the order of their first open edit. */
  readonly #open = new Map<string, OpenEntity>();
  readonly #urgent = new Set<string>();
  readonly #counts = new Map<number, EditCounts>();
  readonly #totals: EditTotals;

  constructor(store: EditStore, { clock, random }: { clock: Clock; random: Random }) {
    this.store = store;
    this.#clock = clock;
    this.#random = random;
    store.transaction(() => store.removeIncomplete());
    this.#totals = store.totals();
    for (const { siteId, entityId, state, nextAt } of store.open()) {
      const key = keyOfEntity(siteId, entityId);
      if (!this.#open.has(key)) this.#open.set(key, { key, siteId, entityId, isBlocked: state !== 'pending', nextAt });
    }
  }

  /** Items with open edits, in the order of their first open edit. */
  openEntities(): Iterable<OpenEntity> {
    return this.#open.values();
  }

  /** Those of them whose caller waits for the result. */
  urgentEntities(): OpenEntity[] {
    return [...this.#urgent].flatMap((key) => this.#open.get(key) ?? []);
  }

  openEntity(siteId: string, entityId: string): OpenEntity | null {
    return this.#open.get(keyOfEntity(siteId, entityId)) ?? null;
  }

  get openCount(): number {
    return this.#open.size;
  }

  totals(): EditTotals {
    return { ...this.#totals };
  }

  countsOf(groupSeq: number): EditCounts {
    const known = this.#counts.get(groupSeq);
    if (known !== undefined) return known;
    const counts = this.store.countsOf(groupSeq);
    this.#counts.set(groupSeq, counts);
    return counts;
  }

  /** Stores a group. Nothing of it is sent before all of it is durable. */
  async add({ edits, ...group }: NewGroup, { isUrgent = false }: AddOptions = {}): Promise<GroupRecord> {
    const { store } = this;
    const id = this.#random.uuid();
    const now = this.#clock.now();
    const facts = { ...group, id, items: edits.length, firstName: edits[0]?.name ?? '', createdAt: now };
    if (edits.length <= SLICE_ROWS) {
      store.transaction(() => {
        const seq = store.beginGroup(facts);
        store.addEdits(seq, group.siteId, edits, now);
        if (group.undoes !== null) this.#noteUndone(group.undoes, id);
        store.completeGroup(seq);
      });
    } else {
      const seq = store.transaction(() => store.beginGroup(facts));
      for (let at = 0; at < edits.length; at += SLICE_ROWS) {
        store.transaction(() => store.addEdits(seq, group.siteId, edits.slice(at, at + SLICE_ROWS), now));
        await nextTurn();
      }
      store.transaction(() => {
        if (group.undoes !== null) this.#noteUndone(group.undoes, id);
        store.completeGroup(seq);
      });
    }
    await store.whenDurable();
    const added = store.group(id) as GroupRecord;
    for (const { entityId } of edits) this.#noteAdded(group.siteId, entityId, isUrgent);
    this.#totals.pending += edits.length;
    this.onDidChange.emit(edits.map(({ entityId }) => ({ groupSeq: added.seq, siteId: group.siteId, entityId })));
    return added;
  }

  /** Stores the new state of records in one transaction. `before` and `after` are pairs. */
  record(changes: readonly { before: EditRecord; after: EditRecord }[]): void {
    if (changes.length === 0) return;
    const { store } = this;
    const groups = new Set(changes.map(({ after }) => after.groupSeq));
    // Read before the change: counts are updated, not counted again.
    for (const groupSeq of groups) this.countsOf(groupSeq);
    const ended = new Map<number, number | null>();
    store.transaction(() => {
      for (const { after } of changes) store.save(after);
      for (const groupSeq of groups) {
        const counts = { ...this.countsOf(groupSeq) };
        for (const { before, after } of changes) if (after.groupSeq === groupSeq) move(counts, before, after);
        const endedAt = isOpenGroup(counts) ? null : this.#clock.now();
        const wasOpen = isOpenGroup(this.countsOf(groupSeq));
        if (wasOpen !== (endedAt === null)) {
          store.endGroup(groupSeq, endedAt);
          ended.set(groupSeq, endedAt);
        }
      }
    });
    for (const { before, after } of changes) {
      move(this.countsOf(after.groupSeq), before, after);
      move(this.#totals, before, after);
    }
    const entities = new Map(changes.map(({ after }) => [keyOfEntity(after.siteId, after.entityId), after]));
    for (const { siteId, entityId } of entities.values()) this.#refresh(siteId, entityId);
    this.onDidChange.emit(
      changes.map(({ after }) => ({ groupSeq: after.groupSeq, siteId: after.siteId, entityId: after.entityId })),
    );
  }

  #noteUndone(groupId: string, by: string): void {
    const undone = this.store.group(groupId);
    if (undone !== null) this.store.noteUndone(undone.seq, by);
  }

  /** A new edit of an item with open edits waits for those. */
  #noteAdded(siteId: string, entityId: string, isUrgent: boolean): void {
    const key = keyOfEntity(siteId, entityId);
    if (isUrgent) this.#urgent.add(key);
    if (!this.#open.has(key)) this.#open.set(key, { key, siteId, entityId, isBlocked: false, nextAt: null });
  }

  /** Reads the open edits of an item again. */
  #refresh(siteId: string, entityId: string): void {
    const key = keyOfEntity(siteId, entityId);
    const [first] = this.store.openOf(siteId, entityId);
    const known = this.#open.get(key);
    // One attempt at once; after that the caller does not wait any more.
    this.#urgent.delete(key);
    if (first === undefined) {
      this.#open.delete(key);
    } else if (known === undefined) {
      this.#open.set(key, { key, siteId, entityId, isBlocked: first.state !== 'pending', nextAt: first.nextAt });
    } else {
      known.isBlocked = first.state !== 'pending';
      known.nextAt = first.nextAt;
    }
  }
}

function move(counts: Partial<EditCounts>, before: EditRecord, after: EditRecord): void {
  const from = counts[before.state];
  const to = counts[after.state];
  if (from !== undefined) counts[before.state] = from - 1;
  // Read again: both can be the same state.
  if (to !== undefined) counts[after.state] = (counts[after.state] ?? 0) + 1;
}

function isOpenGroup(counts: EditCounts): boolean {
  return Object.entries(counts).some(([state, count]) => count > 0 && isOpenState(state as keyof EditCounts));
}
