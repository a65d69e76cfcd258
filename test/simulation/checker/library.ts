import type { Upload } from '../../../shared/model/uploads/upload.ts';
import type { FinalItem, History } from '../history.ts';

/**
 * Items and uploads are identified by site and title. If the library makes titles equal, items of different uploads
 * cannot be distinguished, and only the site counts.
 */
function keysOf({ scenario }: History): (site: string, title: string) => string {
  const areAlike = scenario.service.titles === 'cut' || scenario.service.titles === 'untitled';
  return (site, title) => (areAlike ? site : `${site} ${title}`);
}

/** No duplicates: there are no more items than uploads with that title, except those that the user requested. */
export function noDuplicateItem(history: History): string[] {
  const { final, rows, scenario } = history;
  const keyOf = keysOf(history);
  const wanted = new Map<string, number>();
  const allow = (key: string) => wanted.set(key, (wanted.get(key) ?? 0) + 1);
  for (const row of final.rows) {
    // The upload was skipped late, after the creation of an item that may not be deleted.
    const mayStay = row.mediaId !== null && !scenario.service.mayDeleteItems;
    if (row.state !== 'skipped' || mayStay) allow(keyOf(row.siteId, row.title));
  }
  // The previous row of each upload, to detect that the user chose a new item after “may exist already”.
  const last = new Map<string, Upload>();
  for (const { event, row } of rows) {
    const before = last.get(row.id);
    const isNewWanted = before !== undefined && before.itemIntentAt !== null && row.itemIntentAt === null;
    if (event === 'retried' && isNewWanted && before.mediaId === null && row.mediaId === null) {
      allow(keyOf(row.siteId, row.title));
    }
    last.set(row.id, row);
  }
  const found = new Map<string, FinalItem[]>();
  for (const item of final.items) {
    if (item.isForeign) continue;
    const key = keyOf(item.site, item.title);
    found.set(key, [...(found.get(key) ?? []), item]);
  }
  return [...found]
    .filter(([key, items]) => items.length > (wanted.get(key) ?? 0))
    .map(([key, items]) => `${items.length} items “${key}”: ${items.map(({ id }) => id).join(', ')}`);
}

/**
 * No needless item remains: an item without a file belongs to an upload that still needs it, if the account may delete items.
 * When several items and uploads share a title, the user has to decide.
 */
export function noOrphanItem(history: History): string[] {
  const { final, rows, scenario } = history;
  const keyOf = keysOf(history);
  if (!scenario.service.mayDeleteItems) return [];
  const titles = final.rows.map(({ siteId, title }) => keyOf(siteId, title));
  const unclear = new Set(titles.filter((title, index) => titles.indexOf(title) !== index));
  for (const { row } of rows) if (row.error?.code === 'upload.may-exist') unclear.add(keyOf(row.siteId, row.title));
  const wanted = new Set<string>();
  for (const row of final.rows) {
    const isGivenUp = (row.state === 'cancelled' || row.state === 'skipped') && row.completedAt === null;
    if (row.mediaId !== null && !isGivenUp) wanted.add(`${row.siteId} ${row.mediaId}`);
    // The upload is on hold or failed, and will search later; or only the user can identify the item.
    const isUnknown = scenario.service.titles === 'untitled' || scenario.service.titles === 'cut';
    if (row.mediaId === null && row.itemIntentAt !== null && (!isGivenUp || isUnknown)) {
      unclear.add(keyOf(row.siteId, row.title));
    }
  }
  const isDelivered = ({ status }: FinalItem['files'][number]) => status === 'processing' || status === 'complete';
  return final.items
    .filter(({ isForeign }) => !isForeign)
    .filter(({ site, id, title }) => !wanted.has(`${site} ${id}`) && !unclear.has(keyOf(site, title)))
    .filter(({ files }) => !files.some(isDelivered))
    .map(({ id, title }) => `item ${id} “${title}” is left, but not needed`);
}

/** An item of a colleague is never used or changed. */
export function noForeignItem({ final }: History): string[] {
  const foreign = new Set(final.items.filter(({ isForeign }) => isForeign).map(({ site, id }) => `${site} ${id}`));
  const taken = final.rows.filter(({ siteId, mediaId }) => foreign.has(`${siteId} ${mediaId}`));
  const filled = final.items.filter(({ isForeign, files }) => isForeign && files.length > 0);
  return [
    ...taken.map(({ id, mediaId }) => `${id} took item ${mediaId} of a colleague`),
    ...filled.map(({ id }) => `item ${id} of a colleague got files`),
  ];
}

export function noSharedItem({ final }: History): string[] {
  const owners = new Map<string, string[]>();
  for (const row of final.rows) {
    if (row.mediaId === null) continue;
    const key = `${row.siteId} ${row.mediaId}`;
    owners.set(key, [...(owners.get(key) ?? []), row.id]);
  }
  return [...owners]
    .filter(([, ids]) => ids.length > 1)
    .map(([key, ids]) => `item ${key} belongs to ${ids.join(', ')}`);
}

/** The failures after which the user's retry sends the file again. */
const SPOILED = new Set(['upload.processing-failed', 'upload.size-differs']);

/**
 * An item has at most one file with bytes, including broken ones. If the account may not delete an abandoned file, one
 * more is allowed for each new file that the user requested.
 */
export function oneOriginalPerItem({ final, scenario, rows }: History): string[] {
  const allowed = new Map<string, number>();
  const lastError = new Map<string, string | undefined>();
  for (const { event, row } of rows) {
    const key = `${row.siteId} ${row.mediaId}`;
    const isAskedFor = event === 'retried' && SPOILED.has(lastError.get(row.id) ?? '');
    if (isAskedFor && !scenario.service.mayDeleteFiles) allowed.set(key, (allowed.get(key) ?? 1) + 1);
    lastError.set(row.id, row.error?.code);
  }
  return final.items.flatMap((item) => {
    const main = item.files.filter(({ type, status }) => type !== 'captions' && DELIVERED.has(status));
    if (main.length <= (allowed.get(`${item.site} ${item.id}`) ?? 1)) return [];
    return [`item ${item.id} holds ${main.map(({ id, status }) => `${id} (${status})`).join(', ')}`];
  });
}

const DELIVERED = new Set(['processing', 'complete', 'error']);

/** An upload is shown as complete (and published) only after the service completed (and published) it. */
export function completeIsTrue({ rows, effects }: History): string[] {
  const doneAt = new Map<string, number>();
  for (const { kind, mediaId, fileId, atMs } of effects) {
    const key = `${kind} ${kind === 'item-published' ? mediaId : fileId}`;
    if (!doneAt.has(key)) doneAt.set(key, atMs);
  }
  return rows.flatMap(({ event, row, atMs }) => {
    const isTrue = (key: string) => (doneAt.get(key) ?? Number.POSITIVE_INFINITY) <= atMs;
    if (event === 'completed' && row.completedAt !== null && !isTrue(`file-complete ${row.fileId}`))
      return [`${row.id} shown as complete too early`];
    if (event === 'published' && row.publish.kind !== 'draft' && !isTrue(`item-published ${row.mediaId}`)) {
      return [`${row.id} shown as published too early`];
    }
    return [];
  });
}

/** An upload whose item was published by its own request never stays cancelled. */
export function cancelledIsTrue({ final, scenario }: History): string[] {
  // Without the permission to read an item its status is unknown.
  if (scenario.faults.some(({ kind }) => kind === 'forbidden')) return [];
  const items = new Map(final.items.map((item) => [`${item.site} ${item.id}`, item]));
  return final.rows
    .filter(({ state, completedAt }) => state === 'cancelled' && completedAt !== null)
    .filter(({ siteId, mediaId }) => (items.get(`${siteId} ${mediaId}`)?.status ?? 'draft') !== 'draft')
    .map(({ id, mediaId }) => `${id} is shown as cancelled, but its item ${mediaId} is published`);
}

/** Equal bytes: the library has one version of the file, the version that the row describes. */
export function sameBytes({ final, versions }: History): string[] {
  const held = new Map(final.items.flatMap((item) => item.files.map((file) => [`${item.site} ${file.id}`, file])));
  return final.rows.flatMap((row) => {
    const file = row.state === 'complete' ? held.get(`${row.siteId} ${row.fileId}`) : undefined;
    if (!file) return [];
    const those = versions.filter(({ contents }) => contents === file.contents);
    if (those.length === 0) return [`${row.id}: the library holds a mixture (${file.contents})`];
    const { identity, sizeBytes, mtimeMs } = row;
    const isIt = (each: History['versions'][number]) => each.identity === null || each.identity === identity;
    if (!those.some((each) => isIt(each) && each.sizeBytes === sizeBytes && each.mtimeMs === mtimeMs)) {
      return [`${row.id}: the library holds ${file.contents}, the row describes another version`];
    }
    if (row.sha256 !== null && row.sha256 !== file.contents) return [`${row.id}: the hash is of other bytes`];
    return [];
  });
}

/**
 * The hash of received bytes is known, even when the answer of the destination was lost. Only a power cut may lose it, and a
 * crash at the very write that stores it.
 */
export function hashIsKept({ final, scenario, transfers }: History): string[] {
  const events = [...scenario.events, ...(scenario.station?.events ?? [])];
  if (events.some(({ kind }) => kind === 'power-cut')) return [];
  const crashesAtWrites = events.some(({ kind }) => kind === 'crash-at-write');
  const wasCutOff = (id: string | null) => transfers.some(({ fileId, toMs }) => fileId === id && toMs === null);
  return final.rows
    .filter(({ state, sha256 }) => state === 'complete' && sha256 === null)
    .filter(({ fileId }) => !crashesAtWrites || !wasCutOff(fileId))
    .map(({ id }) => `${id} is complete, and the hash of what was sent is lost`);
}
