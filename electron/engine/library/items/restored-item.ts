import { htmlToText, WORDS } from '../../../../shared/api/html-text.ts';
import type { MediaItem, MediaItemInput } from '../../../../shared/api/media.ts';
import { ITEM_FIELD, TEXT_FIELDS } from '../../../../shared/item/fields.ts';
import { canonicalTag, canonicalText } from '../../../../shared/model/edits/canonical.ts';
import { isoOf } from '../../../../shared/model/iso-instant.ts';
import { textSum } from '../../../../shared/model/text-sum.ts';
import { AGREEMENT, type LongestTitle, titleAgreement } from '../../../../shared/model/title-match.ts';
import { CLOCK_SKEW_MS, CLOCK_SLACK_MS, LATE_EFFECT_MS, WRITE_TIMEOUT_MS } from '../../api/request-times.ts';

/** A request to create an item whose result may be unclear: the data with which a later attempt finds the item. */
export interface SentItem {
  collectionId: string;
  title: string;
  /** The ids of items that could be mistaken for the new one and were listed before the request. */
  known: readonly string[];
  /** When the request was sent, by the library’s clock, epoch ms; null, or missing in older versions: unknown. */
  sentAt?: number | null;
  /** When the request ended without an answer, by the same clock; null: unknown, or the program ended before. */
  endedAt?: number | null;
  /** See `valuesSumOf`. */
  valuesSum?: string | null;
}

/** An item of the library that a request may have created. */
export interface FoundItem extends Pick<MediaItem, 'id' | 'title' | 'collection_id' | 'created_on'> {
  /** `elsewhere`: in another collection than that of the request. */
  place: 'same' | 'elsewhere';
  /** Whether the title is the sent one, or a form into which a library changes it. */
  hasTitle: boolean;
  /** Whether the item equals the request, and was created while the request was running. */
  isAsSent: boolean;
}

export type ItemVerdict =
  | { kind: 'adopt'; item: FoundItem }
  /** Any of these items, or none, may be the new one: only the user knows. */
  | { kind: 'ask'; items: readonly FoundItem[] }
  | { kind: 'none' };

/** The precision of a creation time for an item that is used without a question. */
const EXACT_MS = 5000;

/** Returns the creation times between which an item can be the new one, in ISO-8601; null: unknown. */
export function possibleTimes({ sentAt = null, endedAt = null }: SentItem): { from: string; to: string } | null {
  if (sentAt === null) return null;
  const end = (endedAt ?? sentAt + WRITE_TIMEOUT_MS) + LATE_EFFECT_MS;
  return { from: isoOf(sentAt - CLOCK_SLACK_MS), to: isoOf(end + CLOCK_SLACK_MS) };
}

/** Returns the creation times that wrong clocks could give to the new item, in ISO-8601; null: unknown. */
export function conceivableTimes({ sentAt = null }: Pick<SentItem, 'sentAt'>): { from: string; to: string } | null {
  return sentAt === null ? null : { from: isoOf(sentAt - CLOCK_SKEW_MS), to: isoOf(sentAt + CLOCK_SKEW_MS) };
}

/**
 * Returns whether a request without an answer may still take effect. The time that this process has waited counts, because clocks
 * can be set. For a request of an earlier process only the library’s clock shows it.
 */
export function maySettle(
  { sentAt = null, endedAt = null }: SentItem,
  { lostForMs, serverNow }: { lostForMs: number | null; serverNow: number | null },
): boolean {
  if (lostForMs !== null) return lostForMs < LATE_EFFECT_MS;
  if (sentAt === null || serverNow === null) return false;
  return serverNow >= sentAt && serverNow < (endedAt ?? sentAt + WRITE_TIMEOUT_MS) + LATE_EFFECT_MS;
}

/**
 * Returns a checksum of the values of an item beside its title, in the form in which they are compared; null when there are none:
 * then only the title distinguishes the item.
 */
export function valuesSumOf(values: Partial<MediaItemInput> | MediaItem): string | null {
  const texts = TEXT_FIELDS.filter((field) => field !== 'title').map((field) => {
    const text = values[field] ?? '';
    if (ITEM_FIELD[field].kind !== 'html') return canonicalText(field, text);
    return htmlToText(text, WORDS).replace(/\s+/g, ' ').trim();
  });
  const parts = [...texts, ...(values.tags ?? []).map(canonicalTag).sort()];
  return parts.every((part) => part === '') ? null : textSum(parts.join('\u0001'));
}

/**
 * Compares an item with a request. Returns null for an item that the request did not create: it existed before, belongs to
 * another creation of this computer (`isOfAnother`), was created at another time, or is the upload of someone else.
 */
export function compareWithSent(
  item: MediaItem & { hasFiles: boolean },
  sent: SentItem,
  { longest, isOfAnother }: { longest: LongestTitle; isOfAnother(id: string): boolean },
): FoundItem | null {
  if (sent.known.includes(item.id) || isOfAnother(item.id)) return null;
  const place = item.collection_id === sent.collectionId ? 'same' : 'elsewhere';
  const hasTitle = titleAgreement(sent.title, item.title, longest) > AGREEMENT.none;
  const isNear = isWithin(item, possibleTimes(sent));
  // With another title, someone may have renamed it; in another collection, or with files, it is someone else’s item.
  if (!hasTitle && (!isNear || place === 'elsewhere' || item.hasFiles)) return null;
  if (hasTitle && !isNear && (place === 'elsewhere' || !isConceivable(item, sent))) return null;
  const { id, title, collection_id, created_on } = item;
  const isAsSent = hasTitle && place === 'same' && wasSentThen(item, sent) && isUntouched(item, sent);
  return { id, title, collection_id, created_on, place, hasTitle, isAsSent };
}

/**
 * Decides which item a request created. An item is used without a question only when everything agrees and no other item has its
 * title. `isRival`: another creation of this computer with such a title and an unknown result is open.
 */
export function decideRestoredItem(found: readonly FoundItem[], isRival: boolean): ItemVerdict {
  const titled = found.filter(({ hasTitle }) => hasTitle);
  const [only, another] = titled;
  if (only?.isAsSent === true && another === undefined && !isRival) return { kind: 'adopt', item: only };
  return found.length > 0 ? { kind: 'ask', items: found } : { kind: 'none' };
}

function isUntouched(item: MediaItem & { hasFiles: boolean }, { valuesSum = null }: SentItem): boolean {
  return !item.hasFiles && item.status === 'draft' && valuesSum !== null && valuesSumOf(item) === valuesSum;
}

function wasSentThen({ created_on }: MediaItem, { sentAt = null, endedAt = null }: SentItem): boolean {
  const createdAt = Date.parse(created_on ?? '');
  if (sentAt === null || Number.isNaN(createdAt)) return false;
  const end = endedAt ?? sentAt + WRITE_TIMEOUT_MS + LATE_EFFECT_MS;
  return createdAt >= sentAt - EXACT_MS && createdAt <= end + EXACT_MS;
}

function isWithin({ created_on }: MediaItem, times: { from: string; to: string } | null): boolean {
  const createdAt = Date.parse(created_on ?? '');
  return times !== null && createdAt >= Date.parse(times.from) && createdAt <= Date.parse(times.to);
}

/** Returns whether wrong clocks can explain the creation time of an item. An unknown time is possible. */
function isConceivable(item: MediaItem, sent: SentItem): boolean {
  const times = conceivableTimes(sent);
  return times === null || Number.isNaN(Date.parse(item.created_on ?? '')) || isWithin(item, times);
}
