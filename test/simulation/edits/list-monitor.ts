import type { EditRecord } from '../../../electron/engine/edits/journal/edit-row.ts';
import { EditStore } from '../../../electron/engine/edits/journal/edit-store.ts';
import { canonicalText } from '../../../shared/model/edits/canonical.ts';
import { everythingOf } from './act-input.ts';
import type { EditComputer } from './edit-computer.ts';
import type { EditWorld } from './edit-world.ts';
import { hasOp } from './placed-ops.ts';

const EVERY_MS = 5000;
/** Acts that send refused edits again. */
const RETRIES: ReadonlySet<string> = new Set(['retry', 'resolve']);
const MOST_ITEMS = 20;

/** The first open edit of an item, which waits for a decision. */
interface Held {
  seq: number;
  state: string;
}

/** Checks the lists of all computers while they work, and records what they must never show. */
export class ListMonitor {
  readonly #world: EditWorld;
  readonly #computers: readonly EditComputer[];
  readonly #stores: readonly EditStore[];
  /** `withEdits`: the numbers of the open edits of an item. */
  readonly #listed = new Map<string, { atMs: number; ids: Set<string>; withEdits: Map<string, number[]> }>();
  /** How many titles of an item the mirror has already passed, in the order of their changes, by run, account and item. */
  readonly #passed = new Map<string, number>();
  /**
   * Items whose first open edit waits for a decision, with its number, by account. `ended`: the numbers of the deletions of
   * collections that had ended.
   */
  readonly #blocked = new Map<string, { atMs: number; blocked: Map<string, Held>; ended: Set<number> }>();
  #nextAtMs = 0;

  constructor(world: EditWorld, computers: readonly EditComputer[]) {
    this.#world = world;
    this.#computers = computers;
    this.#stores = computers.map(({ database }) => new EditStore(database));
  }

  afterStep(): void {
    const { time } = this.#world;
    if (time.elapsedMs < this.#nextAtMs) return;
    this.#nextAtMs = time.elapsedMs + EVERY_MS;
    for (const [index, computer] of this.#computers.entries()) {
      for (const site of computer.sites) this.#look(computer, this.#stores[index] as EditStore, site);
    }
  }

  #look(computer: EditComputer, store: EditStore, site: string): void {
    const mirrors = computer.program?.mirrorSync.mirrors;
    const now = mirrors?.ids(everythingOf(site), 1000) ?? null;
    if (mirrors === undefined || now === null) return;
    const ids = new Set(now);
    const withEdits = new Map<string, number[]>();
    for (const { siteId, entityKind, entityId, seq } of store.open()) {
      if (siteId === site && entityKind === 'media') withEdits.set(entityId, [...(withEdits.get(entityId) ?? []), seq]);
    }
    for (const id of withEdits.keys()) {
      const isDeleted = store.openOf(site, id).some(({ ops }) => ops?.some(({ op }) => op.kind === 'delete'));
      if (isDeleted) withEdits.delete(id);
    }
    this.#assertNoneLost(computer, site, ids, withEdits);
    this.#listed.set(site, { atMs: this.#world.time.elapsedMs, ids, withEdits });
    this.#assertHeldBack(store, computer.name, site);
    for (const [id, { title }] of mirrors.items(site, now.slice(0, MOST_ITEMS)))
      this.#assertForward(computer, site, id, title);
  }

  /** What was listed at the last look is listed now, unless it was deleted or hidden; an item with edits is always listed. */
  #assertNoneLost({ name }: EditComputer, site: string, ids: Set<string>, withEdits: Map<string, number[]>): void {
    const before = this.#listed.get(site);
    if (before === undefined) return;
    const library = this.#world.libraryOf(site);
    // A power cut can bring an edit back that had ended, and whose item was removed after that.
    const hadPowerCut = this.#hadPowerCut(name, before.atMs);
    for (const id of before.ids) {
      if (ids.has(id)) continue;
      // Only while the same edit is open: between two edits, an item can be removed.
      const hasSameEdit = before.withEdits.get(id)?.some((seq) => withEdits.get(id)?.includes(seq)) ?? false;
      if (library.wasAlwaysVisible(site, id)) this.#world.fault('list', `${site} lost item ${id}, which exists`);
      else if (hasSameEdit && !hadPowerCut) this.#world.fault('list', `${site} lost item ${id}, which has edits`);
    }
  }

  #hadPowerCut(name: string, sinceMs: number): boolean {
    return this.#world.scenario.acts.some(
      ({ by, kind, atMs }) => by === name && kind === 'power-cut' && atMs >= sinceMs,
    );
  }

  /** Nothing of an item is sent while its first open edit waits for a decision. */
  #assertHeldBack(store: EditStore, computer: string, site: string): void {
    const { history, time, scenario } = this.#world;
    const library = this.#world.libraryOf(site).name;
    const blocked = new Map<string, Held>();
    const seen = new Set<string>();
    for (const { siteId, entityKind, entityId, seq, state } of store.open()) {
      if (siteId !== site || entityKind !== 'media' || seen.has(entityId)) continue;
      seen.add(entityId);
      if (state !== 'pending') blocked.set(entityId, { seq, state });
    }
    const before = this.#blocked.get(site);
    // All records are read only where something is held back.
    const deletions = blocked.size > 0 || (before?.blocked.size ?? 0) > 0 ? deletionsOfCollections(store, site) : [];
    const ended = new Set(deletions.flatMap(({ seq, endedAt }) => (endedAt === null ? [] : [seq])));
    this.#blocked.set(site, { atMs: time.elapsedMs, blocked, ended });
    // A slow request of a process that has died can take effect later.
    if (before === undefined || scenario.troubles.some(({ kind }) => kind === 'slow')) return;
    const fresh = history.effects.filter(
      (each) => each.atMs > before.atMs && each.by === site && each.library === library,
    );
    const isDeleting = deletions.some(({ seq }) => !before.ended.has(seq));
    for (const { itemId, field, after, atMs } of fresh) {
      const held = before.blocked.get(itemId);
      // If the state differs, the person retried the edit in the meantime, and a part of it was sent.
      if (held === undefined || blocked.get(itemId)?.seq !== held.seq || blocked.get(itemId)?.state !== held.state)
        continue;
      if (this.#isDecided(computer, site, held.seq, { fromMs: before.atMs, toMs: atMs })) continue;
      // The person confirmed to delete its collection with everything in it.
      if (field === 'item' && after === 'no' && isDeleting) continue;
      this.#world.fault('order', `at ${atMs}: ${site} changed ${field} of item ${itemId} past record ${held.seq}`);
    }
  }

  /**
   * Whether the person answered the question of an edit in the meantime, or retried all edits. Edits of the item may then
   * have been sent, although this edit waits again: for a new question, or because it was refused again.
   */
  #isDecided(computer: string, site: string, seq: number, { fromMs, toMs }: { fromMs: number; toMs: number }): boolean {
    const { history, scenario } = this.#world;
    const isMeanwhile = ({ atMs }: { atMs: number }) => atMs > fromMs && atMs <= toMs;
    return (
      history.decisions.some((each) => each.site === site && each.seq === seq && isMeanwhile(each)) ||
      scenario.acts.some((act) => act.by === computer && RETRIES.has(act.kind) && isMeanwhile(act))
    );
  }

  /** The title in the mirror never goes back to an earlier value. */
  #assertForward(computer: EditComputer, site: string, id: string, title: string): void {
    const { name } = this.#world.libraryOf(site);
    const key = `${computer.life} ${site} ${id}`;
    const changes = this.#world.history.effects.filter(
      ({ library, itemId, field }) => library === name && itemId === id && field === 'title',
    );
    const first = changes[0];
    if (first === undefined) return;
    // Until the item is read again, the copy has what was sent: the library may have stored it with other blanks.
    const form = (value: string) => canonicalText('title', value);
    const values = [first.before, ...changes.map(({ after }) => after)].map(form);
    const passed = this.#passed.get(key) ?? 0;
    const at = values.indexOf(form(title), passed);
    if (at < 0) this.#world.fault('list', `${site} shows “${title}” for item ${id} again, after “${values[passed]}”`);
    else this.#passed.set(key, at);
  }
}

/** The deletions of collections that an account has sent. */
function deletionsOfCollections(store: EditStore, siteId: string): EditRecord[] {
  const { records } = store.page({ groupSeq: null, filter: 'all', entityId: null, siteId }, 0, -1);
  return records.filter((record) => record.sentAt !== null && hasOp(record, 'delete-collection'));
}
