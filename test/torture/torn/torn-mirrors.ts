import { cpSync, mkdirSync, mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { DatabaseSync } from 'node:sqlite';
import { MirrorFolder } from '../../../electron/engine/mirror/mirror-file.ts';
import { apiInstantOf } from '../../../electron/engine/mirror/mirror-rows.ts';
import { MirrorStore } from '../../../electron/engine/mirror/mirror-store.ts';
import type { Overlay } from '../../../electron/engine/mirror/mirrors.ts';
import { StoredMirrors } from '../../../electron/engine/mirror/stored-mirrors.ts';
import { NO_FAILPOINTS } from '../../../electron/engine/ports/failpoints.ts';
import { silentLogger } from '../../../electron/engine/ports/logger.ts';
import { nodeClock } from '../../../electron/engine/ports/system/node-clock.ts';
import { type MediaItem, mediaItemSchema } from '../../../shared/api/media.ts';
import type { CollectionRow, MediaQuery } from '../../../shared/contract/library.ts';
import { Prng } from '../../helpers/data/prng.ts';
import { type Damage, pageDamages } from './damages.ts';

export interface TornMirrorsReport {
  cases: number;
  /** The number of mirrors that were built again and reported as damaged. */
  rebuilt: number;
  /** The number of mirrors that the next pass and sweep brought up to date. */
  healed: number;
}

const SITE = 'site';
const OWNER = { siteId: SITE, baseUrl: 'http://127.0.0.1:9', userId: 'u' };
const FILE = `${SITE}.sqlite`;
const ITEMS = 150;
const WORDS = ['river', 'summit', 'harbour', 'ember', 'zenith', 'Éclair'];
const SEARCHES = ['', 'river', 'iver s', 'summit h', '"ember zenith"', 'tag:river', 'eclair OR harbour'];
const SORTS = ['created_on', 'modified_on', 'title', 'duration', 'popularity', 'publish_on', 'relevance'] as const;

/** What the service and the journal of edits say. */
interface Truth {
  items: Map<string, MediaItem>;
  overlays: Map<string, Overlay>;
  collections: CollectionRow[];
}

/**
 * Tears one mirror at every page of its file and its write-ahead log, in every way of `pageDamages`: once as a crash leaves it,
 * and once without a log. Opens every `each`-th of these and lists, searches, changes and checks it as an application does. It must be
 * made again and reported, or be right after a pass that reads every item; pending edits are shown in both cases. Throws with all
 * violations.
 */
export async function openMirrorTornAtPages(
  each: number,
  seed: number,
  onProgress: (line: string) => void,
): Promise<TornMirrorsReport> {
  const report: TornMirrorsReport = { cases: 0, rebuilt: 0, healed: 0 };
  const failures: string[] = [];
  const root = mkdtempSync(join(tmpdir(), 'mediadesk-torn-mirrors-'));
  try {
    const { good, older, truth, expected } = await mirrorAtWork(root, new Prng(seed, 3));
    const cases = [
      { good, older },
      { good: withoutLog(good), older: withoutLog(older) },
    ].flatMap((files) => pageDamages(folderOf(files.good), FILE).map((damage) => ({ damage, ...files })));
    for (const [index, one] of cases.entries()) {
      if (index % each !== 0) continue;
      const profile = join(root, `case-${index}`);
      const faults = await openOne(one, profile, { truth, expected }, new Prng(seed, index), report);
      if (faults.length > 0) {
        failures.push(`seed ${seed}, case ${index}, ${one.damage.name}:\n  ${faults.join('\n  ')}`);
        onProgress(failures.at(-1) ?? '');
      }
      report.cases += 1;
      rmSync(profile, { recursive: true, force: true });
      if (report.cases % 100 === 0) onProgress(`${report.cases} of ${Math.ceil(cases.length / each)} cases`);
    }
  } finally {
    rmSync(root, { recursive: true, force: true });
  }
  if (failures.length > 0) throw new Error(failures.join('\n'));
  return report;
}

interface TornCase {
  damage: Damage;
  good: string;
  older: string;
}

async function openOne(
  { damage, good, older }: TornCase,
  profile: string,
  { truth, expected }: { truth: Truth; expected: string },
  prng: Prng,
  report: TornMirrorsReport,
): Promise<string[]> {
  cpSync(good, profile, { recursive: true });
  damage.apply(folderOf(profile), folderOf(older), prng);
  const mirrors = new StoredMirrors({
    profileDir: profile,
    logger: silentLogger,
    clock: nodeClock,
    failpoints: NO_FAILPOINTS,
  });
  let rebuilt = 0;
  mirrors.onDidRebuild(() => {
    rebuilt += 1;
  });
  try {
    await mirrors.start([OWNER]);
    // The journal of edits sets its overlays at every start.
    setOverlays(mirrors, truth);
    shownIn(mirrors);
    await mirrors.check(SITE);
    const faults: string[] = [];
    const isReported = mirrors.damageOf(SITE) !== null;
    if (isReported && mirrors.status(SITE).phase === 'ready') faults.push('is damaged, and shown all the same');
    if (isReported && rebuilt === 0) faults.push('was removed, and its overlays are not set again');
    if (!isReported && mirrors.status(SITE).phase !== 'ready') faults.push('is not ready, and nothing is reported');
    report[isReported ? 'rebuilt' : 'healed'] += 1;
    await readAll(mirrors, truth);
    if (mirrors.status(SITE).phase !== 'ready') {
      // A write of the pass found the damage.
      if (mirrors.damageOf(SITE) === null) faults.push('was closed by a pass, and nothing is reported');
      await readAll(mirrors, truth);
    }
    if (shownIn(mirrors) !== expected) faults.push(isReported ? 'is wrong after it was made again' : 'stays wrong');
    await mirrors.check(SITE);
    if (mirrors.damageOf(SITE) !== null) faults.push('is still damaged after a pass');
    return faults;
  } catch (error) {
    return [error instanceof Error ? (error.stack ?? error.message) : String(error)];
  } finally {
    mirrors.stop();
  }
}

/** What a pass and a complete sweep do: stores every item and collection, and removes what the service does not have. */
async function readAll(mirrors: StoredMirrors, truth: Truth): Promise<void> {
  const store = await mirrors.openFor(OWNER);
  try {
    store.putAll([...truth.items.values()], store.moment());
    for (const row of store.database.prepare('SELECT id FROM media').all()) {
      if (!truth.items.has(String(row.id))) store.remove(String(row.id));
    }
    store.replaceCollections(truth.collections);
  } catch (error) {
    mirrors.noteFault(SITE, error);
    return;
  }
  mirrors.setPhase(SITE, 'ready');
  setOverlays(mirrors, truth);
}

function setOverlays(mirrors: StoredMirrors, { items, overlays }: Truth): void {
  for (const { mediaId } of mirrors.overlaid()) if (!overlays.has(mediaId)) mirrors.setOverlay(SITE, mediaId, null);
  for (const id of items.keys()) {
    const overlay = overlays.get(id);
    if (overlay !== undefined) mirrors.setOverlay(SITE, id, overlay);
  }
}

/** Everything that lists and searches show, as text. */
function shownIn(mirrors: StoredMirrors): string {
  const windows = SORTS.flatMap((sort) =>
    SEARCHES.map((search) => {
      const query: MediaQuery = {
        siteId: SITE,
        collectionId: null,
        search,
        type: null,
        status: null,
        sort,
        order: 'desc',
      };
      return [mirrors.window(query, 0, 1000), mirrors.count(query), mirrors.ids(query, 1000)];
    }),
  );
  return JSON.stringify([windows, mirrors.collections(SITE), mirrors.values(SITE, 'tag', '', 100)]);
}

/** Works on a mirror, and copies it twice as a crash would leave it. */
async function mirrorAtWork(root: string, prng: Prng) {
  const [work, older, good] = [join(root, 'work'), join(root, 'older'), join(root, 'good')];
  const store = new MirrorStore(await new MirrorFolder(work, NO_FAILPOINTS).open(SITE), Date.now);
  const truth: Truth = { items: new Map(), overlays: new Map(), collections: [] };
  const put = (from: number, before: number) => {
    const items = Array.from({ length: before - from }, (_, index) => itemOf(from + index, prng));
    store.putAll(items, store.moment());
    for (const item of items) truth.items.set(item.id, item);
  };
  const overlay = (id: string, value: Overlay) => {
    store.setOverlay(id, value);
    truth.overlays.set(id, value);
  };
  truth.collections = Array.from({ length: 5 }, (_, index) => collectionOf(index));
  store.replaceCollections(truth.collections);
  for (const [key, value] of Object.entries({ baseUrl: OWNER.baseUrl, userId: OWNER.userId, phase: 'ready' }))
    store.setState(key, value);
  put(0, ITEMS - 20);
  store.database.exec('PRAGMA wal_checkpoint(TRUNCATE)');
  overlay('3', { title: 'edited here', tags: ['river'] });
  cpSync(work, older, { recursive: true });
  put(ITEMS - 40, ITEMS);
  overlay('4', 'deleted');
  overlay('5', { title: 'another summit' });
  cpSync(work, good, { recursive: true });
  store.close();
  // For comparison: a mirror with the same contents in a new file.
  const mirrors = new StoredMirrors({
    profileDir: join(root, 'new'),
    logger: silentLogger,
    clock: nodeClock,
    failpoints: NO_FAILPOINTS,
  });
  await readAll(mirrors, truth);
  const expected = shownIn(mirrors);
  mirrors.stop();
  return { good, older, truth, expected };
}

function itemOf(index: number, prng: Prng): MediaItem {
  const words = () => `${prng.pick(WORDS)} ${prng.pick(WORDS)}`;
  return mediaItemSchema.parse({
    id: String(index),
    type: prng.pick(['video', 'audio']),
    status: 'published',
    title: `${words()} ${index}`,
    collection_id: String(prng.int(0, 4)),
    byline: prng.pick(WORDS),
    description_plain: words(),
    links: {},
    tags: [prng.pick(WORDS)],
    duration: prng.int(1, 5000),
    views_count: prng.int(0, 50),
    created_on: apiInstantOf(1_700_000_000 + index * 60),
    modified_on: apiInstantOf(1_700_000_000 + prng.int(0, 10_000)),
    publish_on: apiInstantOf(1_700_000_000 + prng.int(0, 10_000)),
  });
}

function collectionOf(index: number): CollectionRow {
  return {
    id: String(index),
    parentId: index === 0 ? null : '0',
    displayName: `Collection ${index}`,
    slug: `c-${index}`,
    isPodcast: false,
    mediaCount: 3,
  } as CollectionRow;
}

function folderOf(profile: string): string {
  return join(profile, 'mirror');
}

/** Returns a copy whose file has everything that was in the log. */
function withoutLog(profile: string): string {
  const copy = `${profile}-without-log`;
  mkdirSync(copy);
  cpSync(profile, copy, { recursive: true });
  new DatabaseSync(join(folderOf(copy), FILE)).close();
  return copy;
}
