import { create } from 'zustand';
import { plainToHtml } from '../../../../shared/model/description.ts';
import { delayed } from '../../../kit/async/delayed.ts';
import { StoredDrafts } from '../../common/state/stored-drafts.ts';
import { DRAFT_FIELDS, type DraftEdits, type DraftField, hasEdits } from './inspector-draft.ts';

/** The most items whose edits are stored. */
const MAX_ITEMS = 100;
const WRITE_AFTER_MS = 300;

const stored = new StoredDrafts<DraftEdits>({ name: 'mediadesk.drafts', most: MAX_ITEMS, read: readEdits });
const writing = delayed(() => stored.write(), WRITE_AFTER_MS);

/** The items with unsaved edits, as `site/media`, for the marks in lists. */
export const useUnsavedItems = create<{ keys: ReadonlySet<string> }>(() => ({ keys: new Set() }));

export const itemKey = (siteId: string, mediaId: string) => `${siteId}/${mediaId}`;

/**
 * Returns the unsaved edits of an item. They stay on this computer until they are saved or reverted, even after Mediadesk was
 * closed, so closing needs no confirmation.
 */
export function unsavedEdits(siteId: string, mediaId: string): DraftEdits {
  return stored.drafts.get(itemKey(siteId, mediaId)) ?? {};
}

/** Stores the unsaved edits of an item; removes the entry of the item when there are none. */
export function storeEdits(siteId: string, mediaId: string, edits: DraftEdits): void {
  const key = itemKey(siteId, mediaId);
  if (!hasEdits(edits) && !stored.drafts.has(key)) return;
  stored.set(key, hasEdits(edits) ? edits : null);
  notifyLists();
  writing.schedule();
}

/** The number of items of an account with unsaved edits. */
export function unsavedCount(siteId: string): number {
  return [...stored.drafts.keys()].filter((key) => key.startsWith(`${siteId}/`)).length;
}

/** Removes all edits of an account that was signed out. */
export function forgetEditsOf(siteId: string): void {
  stored.removeAccount(siteId);
  notifyLists();
}

/** Writes the scheduled edits immediately, because the page is about to close. */
export const writeEdits = writing.runNow;

/** Notifies the lists when an item was added or removed. */
function notifyLists(): void {
  const { keys } = useUnsavedItems.getState();
  const known = stored.drafts;
  if (keys.size === known.size && [...keys].every((key) => known.has(key))) return;
  useUnsavedItems.setState({ keys: new Set(known.keys()) });
}

/** Loads the unsaved edits of the previous session, so that lists mark their items from the start. */
export function loadEdits(): void {
  notifyLists();
}

/** Returns the valid edits in stored data, whatever version of the app wrote the data. */
export function validEdits(data: unknown): Map<string, DraftEdits> {
  return stored.valid(data);
}

function readEdits(from: Readonly<Record<string, unknown>>): DraftEdits | null {
  const edits = DRAFT_FIELDS.map((field) => [field, validEdit(field, from[field])]).filter(([, edit]) => edit !== null);
  return edits.length > 0 ? Object.fromEntries(edits) : null;
}

/**
 * Returns the edit of a field; null when the stored data is no valid edit. Earlier versions stored only the typed value, and a
 * description as plain text: such a value is its own base, so the user is asked when the library has another value.
 */
function validEdit(field: DraftField, stored: unknown): { mine: unknown; base: unknown } | null {
  const isEdit = typeof stored === 'object' && stored !== null && 'mine' in stored && 'base' in stored;
  if (isEdit) {
    const [mine, base] = [validValue(field, stored.mine), validValue(field, stored.base)];
    return mine === null || base === null ? null : { mine, base };
  }
  const value = validValue(field, stored);
  const mine = field === 'description' && typeof value === 'string' ? plainToHtml(value) : value;
  return mine === null ? null : { mine, base: mine };
}

function validValue(field: DraftField, stored: unknown): string | string[] | null {
  if (field !== 'tags') return typeof stored === 'string' ? stored : null;
  return Array.isArray(stored) ? stored.filter((tag) => typeof tag === 'string') : null;
}
