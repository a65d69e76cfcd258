import { setImmediate as nextTurn } from 'node:timers/promises';
import type { EditCounts, EditTotals, GroupChange } from '../../../../shared/contract/edits.ts';
import { netOpsOf } from '../../../../shared/model/edits/collection-fold.ts';
import { isLocalId, localIdOf, localIdsOf } from '../../../../shared/model/edits/collection-ops.ts';
import { Emitter } from '../../common/emitter.ts';
import type { Clock } from '../../ports/clock.ts';
import type { Random } from '../../ports/random.ts';
import { areBlocked, type EditRecord, type EntityKind, type GroupRecord, isCreation, isOpenState } from './edit-row.ts';
import type { EditStore, NewEdit } from './edit-store.ts';

/** An item or a collection with open edits. */
export interface OpenEntity {
  readonly key: string;
  readonly siteId: string;
  readonly entityKind: EntityKind;
  readonly entityId: string;
  /** An edit waits for a decision and no edit of this item is sent, see `areBlocked`. */
  isBlocked: boolean;
  /** Epoch ms; null: at once. */
  nextAt: number | null;
  /** Local ids of collections that must be in the library before these edits can be sent. */
  waitsOn: readonly string[];
}

export interface AddEditOptions {
  /** A caller waits for the result: these items come before all others. */
  isUrgent?: boolean;
}

export interface EditsChanged {
  groupSeq: number;
  siteId: string;
  entityKind: EntityKind;
  entityId: string;
}

export interface NewGroup {
  siteId: string;
  label: string;
  change: GroupChange | null;
  undoes: string | null;
  /** The undone group that this group applies again. */
  redoes?: string | null;
  edits: readonly NewEdit[];
  /** Is part of the transaction that completes the group. */
  alongside?: () => void;
}

/** Records per transaction: a hundred thousand at once would block the process for seconds. */
const SLICE_ROWS = 50;

export function keyOfEntity(siteId: string, entityId: string, entityKind: EntityKind = 'media'): string {
  return entityKind === 'media' ? `${siteId} ${entityId}` : `${siteId} ${entityKind} ${entityId}`;
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
  /** By local id; null: the library does not have the collection yet. */
  readonly #serverIds = new Map<string, string | null>();
  /** For each group that is being stored: the entities whose edits were recorded meanwhile. */
  readonly #adding = new Set<Set<string>>();
  /** Groups of which only a part is stored yet, with the keys of their entities. One that fails is removed by the next start. */
  readonly #storing = new Map<number, ReadonlySet<string>>();
  readonly #totals: EditTotals;
  readonly #sent: { done: number };

  constructor(store: EditStore, { clock, random }: { clock: Clock; random: Random }) {
    this.store = store;
    this.#clock = clock;
    this.#random = random;
    store.transaction(() => store.removeIncomplete());
    this.#totals = store.totals();
    this.#sent = { done: store.sent() };
    for (const { localId, serverId } of store.localIds()) this.#serverIds.set(localId, serverId);
    for (const { siteId, entityKind, entityId, state, nextAt, isLinked } of store.open()) {
      const key = keyOfEntity(siteId, entityId, entityKind);
      const known = this.#open.get(key);
      // The question of a later edit can be about the deletion, which blocks all edits of the entity, see `areBlocked`.
      if (isLocalId(entityId) || (known !== undefined && state === 'conflict')) {
        this.#refresh(siteId, entityId, entityKind);
        continue;
      }
      const waitsOn = isLinked ? waitsOf(store.openOf(siteId, entityId, entityKind)) : [];
      if (known !== undefined) known.waitsOn = [...known.waitsOn, ...waitsOn];
      else this.#open.set(key, { key, siteId, entityKind, entityId, isBlocked: state !== 'pending', nextAt, waitsOn });
    }
  }

  /** Whether a group is being stored in parts. */
  get isStoring(): boolean {
    return this.#storing.size > 0;
  }

  /** Items with open edits, in the order of their first open edit. */
  openEntities(): Iterable<OpenEntity> {
    return this.#open.values();
  }

  /** The open entities whose caller waits for the result. */
  urgentEntities(): OpenEntity[] {
    return [...this.#urgent].flatMap((key) => this.#open.get(key) ?? []);
  }

  openEntity(siteId: string, entityId: string, entityKind: EntityKind = 'media'): OpenEntity | null {
    return this.#open.get(keyOfEntity(siteId, entityId, entityKind)) ?? null;
  }

  /**
   * Returns the open records of an entity in order, up to the first record of a group that is still being stored: until a group
   * is stored completely, none of it is shown or sent. A crash could remove that group, and a part of it would be in the library.
   */
  openOf(siteId: string, entityId: string, entityKind: EntityKind = 'media'): EditRecord[] {
    const open = this.openOrStoringOf(siteId, entityId, entityKind);
    const end = open.findIndex(({ groupSeq }) => this.#storing.has(groupSeq));
    return end < 0 ? open : open.slice(0, end);
  }

  /** Returns the open records of an entity in order, also those of groups that are still being stored. */
  openOrStoringOf(siteId: string, entityId: string, entityKind: EntityKind = 'media'): EditRecord[] {
    const key = keyOfEntity(siteId, entityId, entityKind);
    const storing = [...this.#storing].flatMap(([groupSeq, keys]) => (keys.has(key) ? [groupSeq] : []));
    return this.store.openOf(siteId, entityId, entityKind, storing);
  }

  /** Returns the library's id of a collection that was created on this computer; other ids and unknown ones unchanged. */
  idOf(id: string): string {
    return isLocalId(id) ? (this.#serverIds.get(id) ?? id) : id;
  }

  /** Returns whether the edits of an entity wait for a collection that is still to be created. */
  isWaiting({ siteId, waitsOn }: OpenEntity): boolean {
    return waitsOn.some((id) => isLocalId(this.idOf(id)) && this.#isToBeCreated(siteId, id));
  }

  #isToBeCreated(siteId: string, localId: string): boolean {
    return this.store.openOf(siteId, localId, 'collection').some(({ ops }) => isCreation(ops));
  }

  get openCount(): number {
    return this.#open.size;
  }

  totals(): EditTotals {
    return { ...this.#totals };
  }

  /** The number of records of all groups that the library has. */
  get sentCount(): number {
    return this.#sent.done;
  }

  countsOf(groupSeq: number): EditCounts {
    const known = this.#counts.get(groupSeq);
    if (known !== undefined) return known;
    const counts = this.store.countsOf(groupSeq);
    this.#counts.set(groupSeq, counts);
    return counts;
  }

  /** Stores a group. No edit of it is sent before all of it is durable. */
  async add({ edits, ...group }: NewGroup, { isUrgent = false }: AddEditOptions = {}): Promise<GroupRecord> {
    const id = this.#random.uuid();
    const { redoes = null, alongside, ...rest } = group;
    const localIds = edits.flatMap(({ entityId }) => (isLocalId(entityId) ? [entityId] : []));
    const facts = { ...rest, id, items: edits.length, firstName: edits[0]?.name ?? '', createdAt: this.#clock.now() };
    const recorded = new Set<string>();
    this.#adding.add(recorded);
    let durable: Promise<void>;
    try {
      await this.#store(facts, edits, localIds, { redoes, alongside });
      durable = this.store.whenDurable();
      await durable.catch(() => {});
    } catch (error) {
      this.#noteNotAdded(group.siteId, edits, recorded);
      throw error;
    } finally {
      this.#adding.delete(recorded);
    }
    // Records that are stored, but perhaps not durable, count as well: the next start would find them.
    const added = this.store.group(id) as GroupRecord;
    for (const localId of localIds) if (!this.#serverIds.has(localId)) this.#serverIds.set(localId, null);
    for (const edit of edits) this.#noteAdded(group.siteId, edit, isUrgent, recorded);
    this.#totals.pending += edits.length;
    if (!isOpenGroup(this.countsOf(added.seq))) this.store.endGroup(added.seq, this.#clock.now());
    this.onDidChange.emit(
      edits.map(({ entityKind = 'media', entityId }) => ({
        groupSeq: added.seq,
        siteId: group.siteId,
        entityKind,
        entityId,
      })),
    );
    await durable;
    return added;
  }

  /** Stores a group completely or not at all. */
  async #store(
    facts: Parameters<EditStore['beginGroup']>[0],
    edits: readonly NewEdit[],
    localIds: readonly string[],
    { redoes, alongside }: { redoes: string | null; alongside: (() => void) | undefined },
  ): Promise<void> {
    const { store } = this;
    const complete = (seq: number) => {
      for (const localId of localIds) store.addLocalId(facts.siteId, localId);
      this.#noteUndone(facts.undoes, redoes, facts.id);
      store.completeGroup(seq);
      alongside?.();
    };
    if (edits.length <= SLICE_ROWS) {
      store.transaction(() => {
        const seq = store.beginGroup(facts);
        store.addEdits(seq, facts.siteId, edits, facts.createdAt);
        complete(seq);
      });
    } else {
      const seq = store.transaction(() => store.beginGroup(facts));
      const keys = edits.map(({ entityKind, entityId }) => keyOfEntity(facts.siteId, entityId, entityKind));
      this.#storing.set(seq, new Set(keys));
      try {
        for (let at = 0; at < edits.length; at += SLICE_ROWS) {
          const slice = edits.slice(at, at + SLICE_ROWS);
          // An incomplete group is removed by the next start, so only the transaction that completes it has to be on the disk.
          store.lazyTransaction(() => store.addEdits(seq, facts.siteId, slice, facts.createdAt));
          await nextTurn();
        }
        store.transaction(() => complete(seq));
      } finally {
        this.#storing.delete(seq);
      }
    }
  }

  /**
   * Stores the new state of records in one transaction. `before` and `after` are pairs. `created`: the library has a collection
   * that was created on this computer. `alongside` is part of the transaction. `restored`: the item of a record was created again.
   */
  record(
    changes: readonly { before: EditRecord; after: EditRecord }[],
    {
      created = null,
      restored = null,
      alongside,
    }: {
      created?: { siteId: string; localId: string; serverId: string } | null;
      restored?: { seq: number; siteId: string; serverId: string } | null;
      alongside?: (() => void) | undefined;
    } = {},
  ): void {
    if (changes.length === 0 && alongside === undefined) return;
    const { store } = this;
    // A group that is being stored is counted when all of it is stored.
    const groups = new Set(
      changes.map(({ after }) => after.groupSeq).filter((groupSeq) => !this.#storing.has(groupSeq)),
    );
    // Read before the change: counts are updated, not counted again.
    for (const groupSeq of groups) this.countsOf(groupSeq);
    store.transaction(() => {
      for (const { after } of changes) store.save(after);
      if (created !== null) store.setServerId(created.siteId, created.localId, created.serverId);
      if (restored !== null) store.addRestored(restored.seq, restored.siteId, restored.serverId);
      for (const groupSeq of groups) this.#noteEnd(groupSeq, changes);
      alongside?.();
    });
    for (const { before, after } of changes) {
      if (groups.has(after.groupSeq)) move(this.countsOf(after.groupSeq), before, after);
      move(this.#totals, before, after);
      move(this.#sent, before, after);
    }
    if (created !== null) this.#serverIds.set(created.localId, created.serverId);
    const changed: EditsChanged[] = changes.flatMap(({ after }) => {
      const { groupSeq, siteId, entityKind, entityId } = after;
      const own = { groupSeq, siteId, entityKind, entityId };
      return created?.localId === entityId ? [own, { ...own, entityId: created.serverId }] : [own];
    });
    const entities = new Map(changed.map((each) => [keyOfEntity(each.siteId, each.entityId, each.entityKind), each]));
    for (const [key, { siteId, entityId, entityKind }] of entities) {
      this.#refresh(siteId, entityId, entityKind);
      for (const recorded of this.#adding) recorded.add(key);
    }
    this.onDidChange.emit(changed);
  }

  /** Stores whether a group has ended with these changes. */
  #noteEnd(groupSeq: number, changes: readonly { before: EditRecord; after: EditRecord }[]): void {
    const counts = { ...this.countsOf(groupSeq) };
    for (const { before, after } of changes) if (after.groupSeq === groupSeq) move(counts, before, after);
    const isOpen = isOpenGroup(counts);
    if (isOpenGroup(this.countsOf(groupSeq)) !== isOpen)
      this.store.endGroup(groupSeq, isOpen ? null : this.#clock.now());
  }

  /**
   * Marks a group as not undone: its undo had nothing to undo, or was dropped before any of it was sent. `alongside` is part of the
   * transaction.
   */
  noteNotUndone(groupSeq: number, alongside: () => void): void {
    this.store.transaction(() => {
      this.store.clearUndone(groupSeq);
      alongside();
    });
  }

  /** Returns an id for a collection that the library does not have yet. */
  newLocalId(): string {
    return localIdOf(this.#random.uuid());
  }

  #noteUndone(undoes: string | null, redoes: string | null, by: string): void {
    const { store } = this;
    const undone = undoes === null ? null : store.group(undoes);
    if (undone !== null) store.noteUndone(undone.seq, by, this.#clock.now());
    const redone = redoes === null ? null : store.group(redoes);
    if (redone !== null) store.noteRedone(redone.seq, by);
  }

  /** Adds a stored edit to the open ones; it waits for earlier edits of its entity. `recorded`: see `#adding`. */
  #noteAdded(
    siteId: string,
    { entityKind = 'media', entityId, ops }: NewEdit,
    isUrgent: boolean,
    recorded: ReadonlySet<string>,
  ): void {
    const key = keyOfEntity(siteId, entityId, entityKind);
    // The record may have been undone, dropped or moved to the library's id already, or follow an edit of a group that is still
    // being stored; a creation comes before the edits that wait for it.
    for (const others of this.#adding) others.add(key);
    const isBehind = [...this.#storing.values()].some((keys) => keys.has(key));
    if (recorded.has(key) || isBehind || (isCreation(ops) && this.#open.has(key))) {
      this.#refresh(siteId, entityId, entityKind);
      return;
    }
    if (isUrgent) this.#urgent.add(key);
    const known = this.#open.get(key);
    const links = ops.flatMap(({ op }) => localIdsOf(op));
    if (known === undefined) {
      this.#open.set(key, { key, siteId, entityKind, entityId, isBlocked: false, nextAt: null, waitsOn: links });
    } else if (links.length > 0 || known.waitsOn.length > 0) {
      known.waitsOn = waitsOf(this.openOf(siteId, entityId, entityKind));
    }
  }

  /** Notes that a group could not be stored: later edits of its items do not wait for it any more. */
  #noteNotAdded(siteId: string, edits: readonly NewEdit[], recorded: ReadonlySet<string>): void {
    const changed: EditsChanged[] = [];
    for (const { entityKind = 'media', entityId } of edits) {
      if (!recorded.has(keyOfEntity(siteId, entityId, entityKind))) continue;
      this.#refresh(siteId, entityId, entityKind);
      const groups = new Set(this.openOf(siteId, entityId, entityKind).map(({ groupSeq }) => groupSeq));
      changed.push(...[...groups].map((groupSeq) => ({ groupSeq, siteId, entityKind, entityId })));
    }
    this.onDidChange.emit(changed);
  }

  /** Reads the open edits of an item again. */
  #refresh(siteId: string, entityId: string, entityKind: EntityKind): void {
    const key = keyOfEntity(siteId, entityId, entityKind);
    const records = this.openOf(siteId, entityId, entityKind);
    const [first] = records;
    const known = this.#open.get(key);
    // Edits are urgent for one attempt only: after that their caller does not wait any more.
    this.#urgent.delete(key);
    if (first === undefined) {
      this.#open.delete(key);
    } else if (known === undefined) {
      const [isBlocked, waitsOn] = [areBlocked(records), waitsOf(records)];
      this.#open.set(key, { key, siteId, entityKind, entityId, isBlocked, nextAt: first.nextAt, waitsOn });
    } else {
      known.isBlocked = areBlocked(records);
      known.nextAt = first.nextAt;
      known.waitsOn = waitsOf(records);
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

/**
 * Returns the local ids of the collections that the next request of an entity names. A later move can replace an earlier one, so
 * only the last one counts.
 */
function waitsOf(records: readonly EditRecord[]): string[] {
  const end = records.findIndex(({ state }) => state !== 'pending');
  const sent = end < 0 ? records : records.slice(0, end);
  const ops = sent.flatMap(({ ops: stored }) =>
    (stored ?? []).flatMap(({ op, outcome }) => (outcome === null ? [op] : [])),
  );
  return netOpsOf(ops).flatMap(localIdsOf);
}

function isOpenGroup(counts: EditCounts): boolean {
  return Object.entries(counts).some(([state, count]) => count > 0 && isOpenState(state as keyof EditCounts));
}
