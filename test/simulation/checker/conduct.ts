import { isEnded } from '../../../shared/model/uploads/upload-states.ts';
import type { History, RowFact } from '../history.ts';
import { COLLECTION_ID } from '../world/service-model.ts';

/** For each item, only one write is in flight at a time, and for each upload one transfer. Deletions may be concurrent. */
export function singleFlight({ requests, transfers }: History): string[] {
  const spans = new Map<string, { fromMs: number; toMs: number; what: string }[]>();
  const note = (key: string, fromMs: number, toMs: number | null, what: string) => {
    spans.set(key, [...(spans.get(key) ?? []), { fromMs, toMs: toMs ?? fromMs, what }]);
  };
  for (const { method, path, site, life, fromMs, toMs } of requests) {
    const mediaId = /^\/api2\/media\/([^/]+)/.exec(path)?.[1];
    if (method !== 'GET' && mediaId) note(`${life} ${site} ${mediaId}`, fromMs, toMs, `${method} ${path}`);
  }
  for (const { fileId, site, life, fromMs, toMs } of transfers) {
    note(`${life} ${site} ${fileId.replace(/-f\d+$/, '')}`, fromMs, toMs, `transfer ${fileId}`);
  }
  return [...spans].flatMap(([key, list]) =>
    list.flatMap((span, index) => {
      const other = list
        .slice(index + 1)
        .find(({ fromMs, toMs, what }) => fromMs < span.toMs && span.fromMs < toMs && !bothDelete(what, span.what));
      return other ? [`${key}: ${span.what} and ${other.what} at the same time`] : [];
    }),
  );
}

function bothDelete(one: string, other: string): boolean {
  return one.startsWith('DELETE') && other.startsWith('DELETE');
}

/** No transfer starts for an upload that the user paused or ended. */
export function commandsAreObeyed({ rows, transfers }: History): string[] {
  const isResumed = (id: string) => (fact: History['rows'][number]) => fact.row.id === id && fact.event === 'resumed';
  return transfers.flatMap(({ fileId, site, afterRows, fromMs, sentBytes }) => {
    const latest = rows.slice(0, afterRows).findLast(({ row }) => row.siteId === site && row.fileId === fileId);
    const current = latest && rows.slice(0, afterRows).findLast(({ row }) => row.id === latest.row.id);
    // The transfer of a paused upload may be open, but sends no bytes.
    const isHeld = current?.row.state === 'paused' && sentBytes === 0;
    if (!current || isHeld || (current.row.state !== 'paused' && !isEnded(current.row.state))) return [];
    if (current.row.state === 'paused' && rows.slice(afterRows).some(isResumed(current.row.id))) return [];
    return [`at ${fromMs}: a transfer begins although ${current.row.id} is ${current.row.state}`];
  });
}

/** The duration of a request in flight, plus the time for which its answer is valid for the other uploads of the batch. */
const REFUSAL_LASTS_MS = 3 * 60_000;

const ONLY_AT_WORK = new Set<RowFact['event']>(['duplicates-checked', 'item-intended', 'file-intended']);

/** For an upload that the user paused or ended, no object is created in the library, and no duplicate check completes. */
export function heldUploadsBeginNothing({ rows }: History): string[] {
  return rows.flatMap(({ event, row, atMs }) =>
    ONLY_AT_WORK.has(event) && row.state !== 'preparing' ? [`at ${atMs}: ${row.id} is ${row.state}: ${event}`] : [],
  );
}

/** Before the library has resolved the collection, no item is created; only a missing collection is reported as unknown. */
export function collectionIsKnownFirst({ rows, scenario }: History): string[] {
  const { collectionFromMs = 0 } = scenario.service;
  return rows.flatMap(({ event, row, atMs }) => {
    const isMade = row.itemIntentAt !== null || row.mediaId !== null || row.state === 'complete';
    if (isMade && row.collectionId !== COLLECTION_ID) return [`at ${atMs}: ${row.id} goes to “${row.collectionId}”`];
    const isDenied = event === 'failed' && row.error?.code.startsWith('collection.');
    return isDenied && atMs > collectionFromMs + REFUSAL_LASTS_MS ? [`at ${atMs}: ${row.id} ${row.error?.code}`] : [];
  });
}

/** No failure of the outside world causes an internal error. */
export function noFaultOfOurs({ programFaults, rows }: History): string[] {
  return [
    ...programFaults.map(({ atMs, event, text }) => `at ${atMs}: ${event} ${text.slice(0, 1500)}`),
    ...rows
      .filter(({ row }) => row.error?.code === 'internal')
      .map(({ row, atMs }) => `at ${atMs}: ${row.id} internal`),
  ];
}
