import type { MediaItem } from '../../../../shared/api/media.ts';
import { AppError } from '../../../../shared/contract/app-error.ts';
import type { ErrorCode } from '../../../../shared/contract/errors/error-catalog.ts';
import type { SiteClient } from '../../api/http-client.ts';
import { countMedia, getMedia, listMedia } from '../../api/media.ts';
import { inParallel } from '../../common/in-parallel.ts';

/** Codes for an item that the library does not have, or does not show to this account. */
const NOT_SHOWN: ReadonlySet<ErrorCode> = new Set(['api.not-found', 'api.forbidden']);

const REQUESTS_AT_ONCE = 4;
/** So many ids or fewer are read one by one: asking which of them exist takes as many requests. */
const FEW = 16;
/** The limits of a filter: servers refuse addresses above about 8,000 characters. */
const MOST_IDS_IN_FILTER = 200;
const MOST_CHARS_IN_FILTER = 4000;
/** In an address, a comma takes three characters. */
const COMMA_CHARS = 3;
/** Counts between two checks that the library did not change. */
const FILTERS_IN_ROUND = 16;
/** So many of the ids that no count contains are read nevertheless, in case counts leave out items that exist. */
const SAMPLES = 5;
/** The API shows at least so many items on a page of each list that is known. */
const ITEMS_ON_PAGE = 10;

/**
 * Reads items of a library by id. Ids that the library does not have, or does not show to this account, are missing in the
 * result. The API has no list of ids, so many ids are first counted with the filter `exclude_ids`: those that no count contains
 * are not read. `onRead`: called with the number of ids that are read or known as missing. Throws the errors of the requests.
 */
export async function readByIds(
  client: SiteClient,
  ids: readonly string[],
  onRead: (ids: number) => void,
): Promise<Map<string, MediaItem>> {
  const found = new Map<string, MediaItem>();
  let missing = 0;
  const note = () => onRead(found.size + missing);
  const noteMissing = (more: number) => {
    missing += more;
    note();
  };
  const existing = await existingOf(client, ids, noteMissing);
  if (existing.total !== null && existing.ids.length >= Math.max(FEW, existing.total / ITEMS_ON_PAGE)) {
    await readList(client, existing.ids, found, note);
  }
  const rest = existing.ids.filter((id) => !found.has(id));
  await inParallel(rest, REQUESTS_AT_ONCE, async (id) => {
    const item = await readIfShown(client, id);
    if (item !== null) found.set(id, item);
    noteMissing(item === null ? 1 : 0);
  });
  return found;
}

async function readIfShown(client: SiteClient, id: string): Promise<MediaItem | null> {
  try {
    return await getMedia(client, id);
  } catch (error) {
    if (error instanceof AppError && NOT_SHOWN.has(error.code)) return null;
    throw error;
  }
}

/** Reads the list of the library until it contained all of these ids: less requests than one for each. */
async function readList(
  client: SiteClient,
  ids: readonly string[],
  found: Map<string, MediaItem>,
  note: () => void,
): Promise<void> {
  const wanted = new Set(ids);
  await unlessRefused(client, null, async () => {
    for await (const item of listMedia(client, { sort: 'created_on', order: 'asc' })) {
      if (!wanted.delete(item.id)) continue;
      found.set(item.id, item);
      note();
      if (wanted.size === 0) return null;
    }
    return null;
  });
}

interface Existing {
  /** The ids that may exist. */
  ids: string[];
  /** The number of items of the library; null: it was not counted. */
  total: number | null;
}

/** Returns the ids without those that the library certainly does not have. `onMissing`: called with the number of these. */
async function existingOf(
  client: SiteClient,
  ids: readonly string[],
  onMissing: (ids: number) => void,
): Promise<Existing> {
  if (ids.length <= FEW) return { ids: [...ids], total: null };
  const witness = await unlessRefused(client, null, () => anyItemOf(client));
  // A library may read 007 in an address as 7, and not in a filter.
  const countable = ids.filter((id) => !/^0\d/.test(id) && id !== witness);
  if (witness === null || countable.length <= FEW) return { ids: [...ids], total: null };
  const missing = new Set<string>();
  let total: number | null = null;
  const filters = filtersOf(countable);
  for (let at = 0; at < filters.length; at += FILTERS_IN_ROUND) {
    const some = filters.slice(at, at + FILTERS_IN_ROUND);
    const round = (await missingIn(client, some, witness)) ?? (await missingIn(client, some, witness));
    // A library that does not count with the filter, or that changes all the time: the items are read.
    if (round === null) break;
    total = round.total;
    for (const id of round.ids) missing.add(id);
    onMissing(round.ids.length);
  }
  for (const id of sampleOf([...missing])) {
    if ((await readIfShown(client, id)) === null) continue;
    // The lists of this library hide items that it has.
    onMissing(-missing.size);
    return { ids: [...ids], total: null };
  }
  return { ids: ids.filter((id) => !missing.has(id)), total };
}

/** Returns some of the ids, evenly spread. */
function sampleOf(ids: readonly string[]): string[] {
  const step = Math.max(1, Math.floor(ids.length / SAMPLES));
  return ids.filter((_, at) => at % step === 0).slice(0, SAMPLES);
}

async function anyItemOf(client: SiteClient): Promise<string | null> {
  for await (const { id } of listMedia(client, {})) return id;
  return null;
}

/** Returns the ids in groups for one filter each. */
function filtersOf(ids: readonly string[]): string[][] {
  const filters: string[][] = [];
  let filter: string[] = [];
  let chars = 0;
  for (const id of ids) {
    const more = id.length + COMMA_CHARS;
    if (filter.length === 0 || filter.length >= MOST_IDS_IN_FILTER || chars + more > MOST_CHARS_IN_FILTER) {
      filter = [];
      chars = 0;
      filters.push(filter);
    }
    filter.push(id);
    chars += more;
  }
  return filters;
}

/**
 * Returns the ids of these filters that the library does not have. null: this is not certain, because the library changed
 * meanwhile, or because it ignores a filter or cuts it off: then an item at its end, `witness`, is counted as well.
 */
async function missingIn(
  client: SiteClient,
  filters: readonly string[][],
  witness: string,
): Promise<{ ids: string[]; total: number } | null> {
  return unlessRefused(client, null, async () => {
    const countOf = (excluded: readonly string[]) =>
      countMedia(client, excluded.length === 0 ? {} : { exclude_ids: excluded.join(',') });
    const total = await countOf([]);
    const longest = filters.reduce((one, other) => (other.join().length > one.join().length ? other : one));
    const [without, withWitness] = await Promise.all([countOf(longest), countOf([...longest, witness])]);
    if (without - withWitness !== 1) return null;
    const ids: string[] = [];
    await inParallel(filters, REQUESTS_AT_ONCE, async (filter) => {
      const existing = total - (filter === longest ? without : await countOf(filter));
      ids.push(...(await missingOf(filter, existing, async (some) => total - (await countOf(some)))));
    });
    return (await countOf([])) === total ? { ids, total } : null;
  });
}

/** Returns the ids that do not exist. `existing`: how many of them exist; `count` returns that for some of them. */
async function missingOf(
  ids: readonly string[],
  existing: number,
  count: (ids: readonly string[]) => Promise<number>,
): Promise<readonly string[]> {
  if (existing === 0) return ids;
  // Many existing ones are read sooner than they are found by counting.
  if (existing < 0 || ids.length <= FEW || existing * 4 >= ids.length) return [];
  const middle = Math.ceil(ids.length / 2);
  const half = ids.slice(0, middle);
  const inHalf = await count(half);
  return [...(await missingOf(half, inHalf, count)), ...(await missingOf(ids.slice(middle), existing - inHalf, count))];
}

/** Returns what `ask` returns, or `otherwise` when the library refuses the request, as one without this list or filter does. */
async function unlessRefused<T>(client: SiteClient, otherwise: T, ask: () => Promise<T>): Promise<T> {
  try {
    return await ask();
  } catch (error) {
    if (!(error instanceof AppError) || !error.code.startsWith('api.')) throw error;
    client.logger.debug('edits.not-counted', { code: error.code });
    return otherwise;
  }
}
