import type { MediaItem } from '../api/media.ts';
import type { Permission } from '../api/permissions.ts';

/** How long an account with media-create may edit and delete its own items (API, “Limits”). */
const OWN_ITEM_WINDOW_MS = 3 * 3_600_000;

/** The maximum number of items in one call for rights. */
export const MAX_PLACES = 50;

/** An action of an account with an item. */
export type MediaAction = 'edit' | 'publish' | 'delete';

/** The permission for each action, in the item's collection. */
export const NEEDED: Readonly<Record<MediaAction, Permission>> = {
  edit: 'media-update',
  publish: 'media-publish',
  delete: 'media-delete',
};

/**
 * - `allowed`     the account has the permission
 * - `if-own`      only when the account created the item, which the API doesn't report, and until `ownUntil`
 * - `window-over` the time for own items has passed
 * - `missing`     the account has neither the permission nor a right to own items
 */
export type MediaRight = 'allowed' | 'if-own' | 'window-over' | 'missing';

/** Returns the instant until which an account may change its own item, in epoch ms; null: the time has passed, or is unknown. */
export function ownUntil(
  { created_on: createdOn, status }: Pick<MediaItem, 'created_on' | 'status'>,
  nowMs: number,
): number | null {
  if (status === 'published' || createdOn === null) return null;
  const until = Date.parse(createdOn) + OWN_ITEM_WINDOW_MS;
  return until >= nowMs ? until : null;
}

/** Returns the right to an action that the permissions of an account in the item's collection give. */
export function mediaRight(
  action: MediaAction,
  item: Pick<MediaItem, 'created_on' | 'status'>,
  permissions: ReadonlySet<string>,
  nowMs: number,
): MediaRight {
  if (permissions.has(NEEDED[action])) return 'allowed';
  if (action === 'publish' || !permissions.has('media-create')) return 'missing';
  return ownUntil(item, nowMs) === null ? 'window-over' : 'if-own';
}

/**
 * Returns whether permissions are sufficient to decide about an item that the account can read: without media-read the account
 * reads it in a way that the list of permissions doesn't show, such as a public collection.
 */
export function isInformative(permissions: ReadonlySet<string>): boolean {
  return permissions.has('media-read');
}

/** The values of an item that decide about the rights to it. */
interface Place {
  collectionId: string;
  createdOn: string | null;
  status: string;
}

/** Adds an item to the items that the account can most likely edit, by collection: the newest unpublished one of each. */
export function addPlace<T extends Place>(best: Map<string, T>, place: T): void {
  const known = best.get(place.collectionId);
  if (known === undefined || isLikelier(place, known)) best.set(place.collectionId, place);
}

function isLikelier(one: Place, other: Place): boolean {
  const isOpen = ({ status }: Place) => status !== 'published';
  if (isOpen(one) !== isOpen(other)) return isOpen(one);
  return (one.createdOn ?? '9') > (other.createdOn ?? '9');
}
