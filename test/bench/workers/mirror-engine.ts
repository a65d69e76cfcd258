import { monitorEventLoopDelay } from 'node:perf_hooks';
import { text } from 'node:stream/consumers';
import { type MediaQuery, mediaQuerySchema } from '../../../shared/contract/library.ts';
import { signInEngine } from '../../helpers/engine/engine-host.ts';
import { type BenchTarget, openBenchEngine } from '../bench-engine.ts';

/**
 * `first`: the first sync. `start`: from a new process to the first list. `pass`: one pass. `type`: a search, letter by
 * letter, and the end of long lists.
 */
export interface MirrorOrder {
  task: 'first' | 'start' | 'pass' | 'type';
  profileDir: string;
  target: BenchTarget;
}

/** Milliseconds and bytes. */
export interface MirrorFindings {
  items: number;
  /** The duration of the measured task. */
  ms: number;
  cpuSeconds: number;
  loopP99Ms: number;
  loopMaxMs: number;
  peakBytes: number;
  /** The time of each query, by what was typed or listed. */
  queries: Record<string, number>;
  /** The time of each calendar that has all items with a date. */
  calendars: Record<string, number>;
}

const TYPED = 'river summit ambe';
const RANKED = 'harbour su';
const MISTYPED = 'rivr sumit';
const LISTS: Record<string, Partial<MediaQuery>> = {
  'newest first': {},
  'by title': { sort: 'title', order: 'asc' },
  'by length': { sort: 'duration' },
  'by collection': { sort: 'collection', order: 'asc' },
  'by tags': { sort: 'tags', order: 'asc' },
  'by byline': { sort: 'byline', order: 'asc' },
  'by captions': { sort: 'captions' },
  'by views': { sort: 'popularity' },
  'by likes': { sort: 'likes' },
  'videos by collection': { type: 'video', sort: 'collection' },
  'drafts by date': { status: 'draft' },
  'videos by title': { type: 'video', sort: 'title' },
};

const startedAt = performance.now();
const order = JSON.parse(await text(process.stdin)) as MirrorOrder;
const engine = await openBenchEngine(order);
const [known] = await engine.call('sites.list', null);
const siteId = known?.id ?? (await signInEngine(engine, order.target));
const delay = monitorEventLoopDelay({ resolution: 1 });
const queries: Record<string, number> = {};
const calendars: Record<string, number> = {};
let ms = Number.NaN;
const cpu = process.cpuUsage();
delay.enable();
switch (order.task) {
  case 'first':
  case 'pass':
    ms = await timed(() => engine.call('library.syncNow', { siteId }));
    break;
  case 'start':
    await list({}, 0);
    // The time since the start of the process, with the loading of its modules.
    ms = performance.now();
    break;
  case 'type':
    await list({}, 0);
    for (let length = 1; length <= TYPED.length; length += 1) {
      const search = TYPED.slice(0, length);
      queries[`typed “${search}”`] = await timed(() => list({ search }, 0));
    }
    // Sorted like the results of the search field. With other letters, so that no count is known already.
    for (let length = 1; length <= RANKED.length; length += 1) {
      const search = RANKED.slice(0, length);
      queries[`best matches of “${search}”`] = await timed(() => list({ search, sort: 'relevance' }, 0));
    }
    for (const [name, query] of Object.entries(LISTS)) {
      queries[`${name}, first rows`] = await timed(() => list(query, 0));
      queries[`${name}, rows behind 20,000`] = await timed(() => list(query, 20_000));
    }
    queries[`corrected “${MISTYPED}”`] = await timed(() => correct(MISTYPED));
    calendars['month of the calendar with all items'] = await timedCalendar(6 * 7, 12);
    calendars['week of the calendar with all items'] = await timedCalendar(7 * 24, 2);
    ms = performance.now() - startedAt;
    break;
}
delay.disable();
const { user, system } = process.cpuUsage(cpu);
const { items } = await engine.call('library.syncStatus', { siteId });
const findings: MirrorFindings = {
  items,
  ms,
  queries,
  calendars,
  cpuSeconds: (user + system) / 1e6,
  loopP99Ms: delay.percentile(99) / 1e6,
  loopMaxMs: delay.max / 1e6,
  peakBytes: process.resourceUsage().maxRSS * 1024,
};
await engine.stop();
console.log(JSON.stringify(findings));
process.exit(0);

async function list(given: Partial<MediaQuery>, offset: number): Promise<void> {
  const query: MediaQuery = {
    siteId,
    collectionId: null,
    search: '',
    type: null,
    status: null,
    sort: 'created_on',
    order: 'desc',
    ...given,
  };
  const { rows } = await engine.call('library.mediaWindow', { query, offset, limit: 100 });
  if (rows.length === 0 && offset === 0) throw new Error(`nothing is listed for ${JSON.stringify(given)}`);
}

async function correct(search: string): Promise<void> {
  const query = mediaQuerySchema.parse({ siteId, search });
  const corrected = await engine.call('library.correctedSearch', { query });
  if (corrected.search === null) throw new Error(`“${search}” was not corrected`);
}

/** Measures a calendar whose slots share the time from the first publish date to the last one. */
async function timedCalendar(slots: number, rows: number): Promise<number> {
  const all = { siteId, collectionId: null, search: '', type: null, status: null, hasPublishDate: true };
  const end = async (direction: 'asc' | 'desc') => {
    const query: MediaQuery = { ...all, sort: 'publish_on', order: direction };
    const { rows: found } = await engine.call('library.mediaWindow', { query, offset: 0, limit: 1 });
    return Date.parse(found[0]?.publishOn ?? '');
  };
  const [first, last] = [await end('asc'), (await end('desc')) + 1000];
  const instants = Array.from({ length: slots + 1 }, (_, index) =>
    Math.round(first + ((last - first) * index) / slots),
  );
  const total = (
    await engine.call('library.mediaWindow', { query: { ...all, sort: 'title', order: 'asc' }, offset: 0, limit: 1 })
  ).total;
  let count = 0;
  const duration = await timed(async () => {
    const calendar = await engine.call('library.calendar', { query: { siteId, collectionId: null, instants, rows } });
    count = calendar?.slots.reduce((sum, slot) => sum + slot.count, 0) ?? 0;
  });
  if (count !== total || count === 0) throw new Error(`the calendar has ${count} items instead of ${total}`);
  return duration;
}

async function timed(work: () => Promise<unknown>): Promise<number> {
  const from = performance.now();
  await work();
  return performance.now() - from;
}
