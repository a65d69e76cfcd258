import { createHash } from 'node:crypto';
import { existsSync, mkdtempSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { type EditRecord, isOpenState } from '../../../electron/engine/edits/journal/edit-row.ts';
import { EditStore } from '../../../electron/engine/edits/journal/edit-store.ts';
import type { Database } from '../../../electron/engine/store/database.ts';
import { isDeletion, localIdsOf } from '../../../shared/model/edits/collection-ops.ts';
import { editableOf } from '../../../shared/model/edits/edit-ops.ts';
import { withEmptyDatabase } from '../world/reused-databases.ts';
import { changeOf, everythingOf } from './act-input.ts';
import { editCollections } from './collection-person.ts';
import { EditComputer } from './edit-computer.ts';
import type { EditHistory, FinalAccount } from './edit-history.ts';
import { turns } from './edit-program.ts';
import { type Act, COMPUTERS, type EditScenario, isAboutCollections } from './edit-scenario.ts';
import { EditWorld } from './edit-world.ts';
import { textOfItem } from './library-model.ts';
import { ListMonitor } from './list-monitor.ts';

/** A run with more steps is in an endless loop. */
const MAX_STEPS = 400_000;
/** How long after the last trouble everything must be sent that needs no decision. */
const LIVENESS_MS = 2 * 3_600_000;
const DECISION_ROUNDS = 12;
const DAY_MS = 24 * 3_600_000;

/** Runs a scenario to its end: all edits decided, all mirrors up to date. */
export function simulateEdits(scenario: EditScenario): Promise<EditHistory> {
  return withEmptyDatabase((one) => withEmptyDatabase((other) => run(scenario, [one, other])));
}

const MEMORY_DIR = existsSync('/dev/shm') ? '/dev/shm' : tmpdir();

async function run(scenario: EditScenario, databases: readonly Database[]): Promise<EditHistory> {
  const world = new EditWorld(scenario);
  const { time, history } = world;
  const onUnhandled = (error: unknown) => {
    // A run that has ended can still use its closed files.
    if (!/database is not open|statement has been finalized|this run has ended|process died/.test(String(error))) {
      world.fault('unhandled', error instanceof Error ? (error.stack ?? error.message) : String(error));
    }
  };
  process.on('unhandledRejection', onUnhandled);
  const computers = COMPUTERS.map(
    (name, index) =>
      new EditComputer(world, name, databases[index] as Database, mkdtempSync(join(MEMORY_DIR, 'mediadesk-edits-'))),
  );
  let steps = 0;
  const monitor = new ListMonitor(world, computers);
  const pass = async (isOver: () => boolean, untilMs: number): Promise<boolean> => {
    // Adds an event at the last moment, so that time can always advance until then.
    time.after(untilMs - time.elapsedMs, null, () => {});
    while (!isOver()) {
      steps += 1;
      if (time.elapsedMs >= untilMs || steps > MAX_STEPS) return false;
      try {
        if (!time.step()) return false;
      } catch (error) {
        onUnhandled(error);
      }
      await turns(1);
      for (const computer of computers) computer.afterStep();
      monitor.afterStep();
    }
    return true;
  };
  try {
    await turns(2);
    for (const act of scenario.acts) time.after(act.atMs, null, () => actOf(world, computers, act));
    for (const { kind, site, toMs } of scenario.troubles) {
      if (kind !== 'signed-out' && kind !== 'keychain-locked') continue;
      // The person signs in again.
      time.after(toMs + 1000, null, () => {
        for (const computer of computers) {
          for (const each of computer.sites)
            if (site === null || each.startsWith(site)) computer.program?.signedIn(each);
        }
      });
    }
    await pass(() => false, scenario.calmAtMs + 2000);
    await conclude(world, computers, pass);
    history.final.atMs = time.elapsedMs;
    history.final.integrity = computers.map(({ database }) =>
      String(database.prepare('PRAGMA integrity_check').get()?.integrity_check),
    );
    if (steps > MAX_STEPS) world.fault('endless', `${steps} steps`);
    return history;
  } finally {
    for (const computer of computers) computer.dispose();
    await turns(3);
    process.off('unhandledRejection', onUnhandled);
  }
}

type Pass = (isOver: () => boolean, untilMs: number) => Promise<boolean>;

/** All troubles are over: persons decide everything, and a day later the mirrors have all changes. */
async function conclude(world: EditWorld, computers: readonly EditComputer[], pass: Pass): Promise<void> {
  const { time, history } = world;
  for (const computer of computers) computer.calm();
  const stores = computers.map(({ database }) => new EditStore(database));
  const open = () =>
    stores.flatMap((store) => store.page({ groupSeq: null, filter: 'open', entityId: null }, 0, -1).records);
  const isRunning = () => computers.every(({ program, isBusy }) => program !== null && !isBusy);
  const drain = async (): Promise<boolean> => {
    for (let tries = 0; tries < LIVENESS_MS / 600_000; tries += 1) {
      if (await pass(() => isRunning() && open().every((record) => waits(record, open())), time.elapsedMs + 600_000))
        return true;
      for (const computer of computers) computer.hurry();
    }
    return false;
  };
  /** The records that need no decision and are still open. */
  const stuck = async () => ((await drain()) ? [] : open().filter((record, _, all) => !waits(record, all)));
  const waiting = await stuck();
  for (let round = world.scenario.seed % 4; round < DECISION_ROUNDS && open().length > 0; round += 1) {
    for (const computer of computers) computer.decideAll(round);
    await drain();
  }
  await syncAll(computers, pass, time);
  for (const [index, computer] of computers.entries()) {
    for (const site of computer.sites)
      history.final.early.push(finalOf(world, computer, stores[index] as EditStore, site, []));
  }
  // A sweep finds, within a day, the changes that `modified_on` does not show.
  for (const computer of computers) computer.turnOff();
  await pass(() => false, time.elapsedMs + DAY_MS + 3_600_000);
  for (const computer of computers) computer.start();
  await pass(isRunning, time.elapsedMs + 60_000);
  // A start completes an undo that a full disk interrupted.
  waiting.push(...(await stuck()));
  await syncAll(computers, pass, time);
  for (const [index, computer] of computers.entries()) {
    for (const site of computer.sites)
      history.final.accounts.push(finalOf(world, computer, stores[index] as EditStore, site, waiting));
  }
}

/**
 * Whether a record waits for a decision, with or behind one that does, or for a collection whose creation does. `asked`: the records
 * that wait for this one, as two new collections can have been moved into each other in turn.
 */
function waits(record: EditRecord, all: readonly EditRecord[], asked: ReadonlySet<EditRecord> = new Set()): boolean {
  if (record.state !== 'pending') return true;
  const { siteId, entityKind, entityId, seq } = record;
  const own = all.filter(
    (each) => each.siteId === siteId && each.entityKind === entityKind && each.entityId === entityId,
  );
  // A creation that was undone and redone comes after edits of the collection, and they wait for it as well.
  const isBehind = (each: EditRecord) => each.state !== 'pending' && (each.seq < seq || creates(each));
  if (own.some((each) => isBehind(each) || asksToDelete(each))) return true;
  const needed = own.flatMap(({ ops }) =>
    (ops ?? []).flatMap(({ op, outcome }) => (outcome === null ? localIdsOf(op) : [])),
  );
  const behind = new Set([...asked, record]);
  return needed.some((id) => {
    const creation = all.find((each) => each.siteId === siteId && each.entityId === id);
    return creation !== undefined && !behind.has(creation) && waits(creation, all, behind);
  });
}

function creates({ ops }: EditRecord): boolean {
  return (ops ?? []).some(({ op, outcome }) => op.kind === 'create-collection' && outcome === null);
}

/** Whether the person decides about the deletion of the whole item or collection: its other edits wait for the answer. */
function asksToDelete({ ops }: EditRecord): boolean {
  return (ops ?? []).some(({ op, asks }) => asks === true && isDeletion(op));
}

const MOST_PASSES = 200;

async function syncAll(computers: readonly EditComputer[], pass: Pass, time: EditWorld['time']): Promise<void> {
  for (const { program, sites } of computers) {
    if (program === null) continue;
    for (const site of sites) {
      for (let passes = 0; passes < MOST_PASSES; passes += 1) {
        let isOver = false;
        void program.mirrorSync.syncs.syncNow(site, { removesHidden: true }).then(
          () => {
            isOver = true;
          },
          () => {
            isOver = true;
          },
        );
        await pass(() => isOver, time.elapsedMs + 600_000);
        const store = program.mirrorSync.mirrors.storeOf(site);
        if (passes > 0 && store?.state('sweepCursor') === null) break;
      }
    }
  }
}

function finalOf(
  world: EditWorld,
  computer: EditComputer,
  store: EditStore,
  site: string,
  waiting: EditRecord[],
): FinalAccount {
  const mirrors = computer.program?.mirrorSync.mirrors;
  const library = world.libraryOf(site);
  const window = mirrors?.window(everythingOf(site), 0, 1000) ?? null;
  const ids = library.ids;
  const listed = (window?.rows ?? []).map(({ id, title, byline, tags, collectionId, status, publishOn, pending }) => [
    id,
    JSON.stringify([title, byline ?? '', tags, collectionId, status, publishOn, pending ?? null]),
  ]);
  return {
    site,
    library: library.name,
    groups: store.groups({ siteId: site, isOpen: false }, 0, -1).groups,
    records: store
      .page({ groupSeq: null, filter: 'all', entityId: null }, 0, -1)
      .records.filter(({ siteId }) => siteId === site),
    waiting: waiting.filter(({ siteId, state }) => siteId === site && isOpenState(state)),
    mirrored: Object.fromEntries(
      [...(mirrors?.items(site, [...ids, ...listed.map(([id]) => String(id))]) ?? [])].map(([id, item]) => [
        id,
        textOfItem(editableOf(item)),
      ]),
    ),
    listed: Object.fromEntries(listed),
    expected: library.visibleTo(site),
    serverIds: Object.fromEntries(
      store.localIds().flatMap(({ localId, serverId }) => (serverId === null ? [] : [[localId, serverId]])),
    ),
    mirroredCollections: Object.fromEntries(
      (mirrors?.collections(site) ?? []).map(({ id, parentId, displayName, slug, isPodcast }) => [
        id,
        JSON.stringify([parentId, displayName, slug, isPodcast]),
      ]),
    ),
    expectedCollections: library.collections.textsFor(site),
  };
}

/** Carries out an act of the scenario. */
function actOf(world: EditWorld, computers: readonly EditComputer[], act: Act): void {
  if (act.by !== 'editor') {
    computers.find(({ name }) => name === act.by)?.act(act);
    return;
  }
  const { shared } = world;
  if (act.kind === 'hide-collection' || act.kind === 'show-collection') {
    const [, ...ids] = shared.collections.ids;
    const site = COMPUTERS[act.value % COMPUTERS.length] ?? COMPUTERS[0];
    const id = ids[act.pick % Math.max(1, ids.length)];
    if (id !== undefined) shared.hideCollection(site, id, act.kind === 'hide-collection');
    return;
  }
  if (isAboutCollections(act)) {
    editCollections(act, shared);
    return;
  }
  const id = shared.ids[act.pick % Math.max(1, shared.ids.length)];
  if (act.kind === 'create') {
    shared.add('editor', { title: `New ${act.value}` });
    return;
  }
  if (id === undefined) return;
  const change = changeOf(act.kind, act, id);
  const site = COMPUTERS[act.value % COMPUTERS.length] ?? COMPUTERS[0];
  switch (act.kind) {
    case 'delete':
      shared.remove('editor', id);
      return;
    case 'hide':
    case 'show':
      shared.hide(site, id, act.kind === 'hide');
      return;
    case 'tags':
      if (change.tags?.kind === 'change') shared.change('editor', id, { ...change.tags, kind: 'tags' });
      return;
    case 'move': {
      const collectionId = change.collectionId ?? '1';
      if (shared.collections.has(collectionId))
        shared.change('editor', id, { kind: 'fields', fields: { collectionId } });
      return;
    }
    case 'publish':
      shared.change('editor', id, { kind: 'publish', at: null });
      return;
    case 'unpublish':
      shared.change('editor', id, { kind: 'unpublish' });
      return;
    case 'edit-back': {
      // Restores the title that the item had before its last change.
      const last = world.history.effects.findLast(({ itemId, field }) => itemId === id && field === 'title');
      if (last !== undefined) shared.change('editor', id, { kind: 'fields', fields: { title: last.before } });
      return;
    }
    default: {
      const fields = Object.entries(change).flatMap(([field, wanted]) =>
        typeof wanted === 'object' && 'value' in wanted ? [[field, wanted.value]] : [],
      );
      shared.change('editor', id, { kind: 'fields', fields: Object.fromEntries(fields) }, null, act.value % 11 === 0);
    }
  }
}

/** A hash of a whole history. */
export function editTraceHash(history: EditHistory): string {
  return createHash('sha256').update(JSON.stringify(history)).digest('hex');
}
