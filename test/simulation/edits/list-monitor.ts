import { EditStore } from '../../../electron/engine/edits/edit-store.ts';
import { type EditComputer, everythingOf } from './edit-computer.ts';
import type { EditWorld } from './edit-world.ts';

const EVERY_MS = 5000;
const MOST_ITEMS = 20;

/** Looks at the lists of all computers while they work, and records what they must never show. */
export class ListMonitor {
  readonly #world: EditWorld;
  readonly #computers: readonly EditComputer[];
  readonly #stores: readonly EditStore[];
  readonly #listed = new Map<string, { ids: Set<string>; withEdits: Set<string> }>();
  /** How many changes of a title the mirror of an account has passed, by run, account and item. */
  readonly #passed = new Map<string, number>();
  /** Items whose first open edit waits for a decision, with its number, by account. */
  readonly #blocked = new Map<string, { atMs: number; blocked: Map<string, number> }>();
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
    const mirrors = computer.program?.mirror.mirrors;
    const now = mirrors?.ids(everythingOf(site), 1000) ?? null;
    if (mirrors === undefined || now === null) return;
    const ids = new Set(now);
    const withEdits = new Set<string>();
    for (const { siteId, entityKind, entityId } of store.open())
      if (siteId === site && entityKind === 'media') withEdits.add(entityId);
    for (const id of withEdits) {
      const isDeleted = store.openOf(site, id).some(({ ops }) => ops?.some(({ op }) => op.kind === 'delete'));
      if (isDeleted) withEdits.delete(id);
    }
    const library = this.#world.libraryOf(site);
    const before = this.#listed.get(site);
    for (const id of before?.ids ?? []) {
      if (ids.has(id)) continue;
      if (library.wasAlwaysVisible(site, id)) this.#world.fault('list', `${site} lost item ${id}, which exists`);
      else if (before?.withEdits.has(id) && withEdits.has(id))
        this.#world.fault('list', `${site} lost item ${id}, which has edits`);
    }
    this.#listed.set(site, { ids, withEdits });
    this.#assertHeldBack(store, site);
    for (const [id, { title }] of mirrors.items(site, now.slice(0, MOST_ITEMS)))
      this.#assertForward(computer, site, id, title);
  }

  /** Nothing of an item is sent while its first open edit waits for a decision. */
  #assertHeldBack(store: EditStore, site: string): void {
    const { history, time, scenario } = this.#world;
    const library = this.#world.libraryOf(site).name;
    const blocked = new Map<string, number>();
    const seen = new Set<string>();
    for (const { siteId, entityKind, entityId, seq, state } of store.open()) {
      if (siteId !== site || entityKind !== 'media' || seen.has(entityId)) continue;
      seen.add(entityId);
      if (state !== 'pending') blocked.set(entityId, seq);
    }
    const before = this.#blocked.get(site);
    this.#blocked.set(site, { atMs: time.elapsedMs, blocked });
    // A slow request of a process that has died can take effect later.
    if (before === undefined || scenario.troubles.some(({ kind }) => kind === 'slow')) return;
    const fresh = history.effects.filter(
      (each) => each.atMs > before.atMs && each.by === site && each.library === library,
    );
    for (const { itemId, field, atMs } of fresh) {
      const held = before.blocked.get(itemId);
      if (held === undefined || blocked.get(itemId) !== held) continue;
      this.#world.fault('order', `at ${atMs}: ${site} changed ${field} of item ${itemId} past record ${held}`);
    }
  }

  /** The copy of a title never goes back to an earlier value. */
  #assertForward(computer: EditComputer, site: string, id: string, title: string): void {
    const { name } = this.#world.libraryOf(site);
    const key = `${computer.life} ${site} ${id}`;
    const changes = this.#world.history.effects.filter(
      ({ library, itemId, field }) => library === name && itemId === id && field === 'title',
    );
    const first = changes[0];
    if (first === undefined) return;
    const values = [first.before, ...changes.map(({ after }) => after)];
    const passed = this.#passed.get(key) ?? 0;
    const at = values.indexOf(title, passed);
    if (at < 0) this.#world.fault('list', `${site} shows “${title}” for item ${id} again, after “${values[passed]}”`);
    else this.#passed.set(key, at);
  }
}
