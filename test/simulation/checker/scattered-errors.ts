import type { RetriedStep } from '../../../shared/model/uploads/retries.ts';
import type { Upload } from '../../../shared/model/uploads/upload.ts';
import { isEnded } from '../../../shared/model/uploads/upload-states.ts';
import type { History, RowFact } from '../history.ts';

/**
 * The maximum number of consecutive failures of a step when each of its requests gets one error. It is two for the creation of an
 * item, whose first try also measures the time of the service.
 */
const MOST_IN_A_ROW = 2;
/** The steps that read the list of a collection, which gets longer while other uploads create their items. */
const LISTING = new Set(['look-up-item', 'check-duplicates']);
/**
 * The time of all requests of an upload, each with one error and ten seconds, and of the slots that other uploads use.
 */
const ENDS_WITHIN_MS = 30 * 60_000;

/**
 * When every request gets one error and nothing else fails, no upload fails, no request waits longer than the first steps of the
 * backoff, and everything ends within a time limit. The time in which an upload waits for the user does not count.
 */
export function scatteredErrorsAreCheap(history: History): string[] {
  const { scenario, rows, final } = history;
  const { errsOnce, processingMs, megabyteMs = 0, noticesAfterMs, sidecarHost = 'there' } = scenario.service;
  const isQuiet = scenario.faults.length === 0 && scenario.events.length === 0;
  if (errsOnce !== true || !isQuiet) return [];
  const facts = Map.groupBy(rows, ({ row }) => row.id);
  const isSlow = megabyteMs > 0 || sidecarHost !== 'there' || (scenario.diskMs ?? 0) > 0;
  const mostMs = ENDS_WITHIN_MS + 2 * (processingMs + noticesAfterMs);
  const late = isSlow ? [] : [...facts].filter(([, ofRow]) => workedMs(ofRow) > mostMs);
  const failed = final.rows.filter(({ state, error }) => state === 'failed' && error?.code === 'api.server-error');
  return [
    ...[...facts.values()].flatMap((ofRow) => failedTooOften(ofRow, history)),
    ...late.map(([id]) => `${id} took too long for errors that were all temporary`),
    ...failed.map(({ id }) => `${id} failed by errors of which each was cured`),
  ];
}

/**
 * Returns the time that the program worked at an upload, without the time between its end, such as after a failure, and a retry.
 */
function workedMs(facts: readonly RowFact[]): number {
  return facts.reduce((sum, { row, atMs }, index) => {
    const untilMs = isEnded(row.state) ? atMs : (facts[index + 1]?.atMs ?? atMs);
    return sum + untilMs - atMs;
  }, 0);
}

/** Returns sentences about uploads with more consecutive failures than new requests in their step. */
function failedTooOften(facts: readonly RowFact[], history: History): string[] {
  let startedMs = 0;
  /** The start of the first of the consecutive failed tries, by step. */
  const sinceMs = new Map<string, number>();
  return facts.flatMap(({ row, event, atMs }, index) => {
    if (event === 'started') startedMs = atMs;
    const before: Upload['retriesByStep'] = facts[index - 1]?.row.retriesByStep ?? {};
    return Object.entries(row.retriesByStep).flatMap(([step, { count, answered }]) => {
      const known = before[step as RetriedStep];
      if (known?.count === count && known.answered === answered) return [];
      if (count === 1) sinceMs.set(step, startedMs);
      const most =
        MOST_IN_A_ROW + (LISTING.has(step) ? newPages(history, row.siteId, sinceMs.get(step) ?? 0, atMs) : 0);
      return count <= most ? [] : [`at ${atMs}: ${row.id} failed ${count} times in a row at ${step}`];
    });
  });
}

/**
 * Returns the number of pages by which the lists of a site grew. Each page is a request that gets its own error. When a list
 * without a filter omits drafts, each publication makes it longer.
 */
function newPages({ effects, scenario }: History, wanted: string, fromMs: number, toMs: number): number {
  const { listsAfterMs = 0, hidesDrafts, pageSize } = scenario.service;
  const added = effects.filter(({ kind, site, atMs }) => {
    const isAdded = kind === 'item-created' || (kind === 'item-published' && hidesDrafts === true);
    const listedMs = kind === 'item-created' ? atMs + listsAfterMs : atMs;
    return isAdded && site === wanted && listedMs >= fromMs && listedMs <= toMs;
  });
  return Math.ceil(added.length / pageSize);
}
