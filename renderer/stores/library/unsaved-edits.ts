import { create } from 'zustand';
import { plainToHtml } from '../../../shared/model/description.ts';
import { delayed } from '../../async/delayed.ts';
import { DRAFT_FIELDS, type DraftField, type Edits, hasEdits } from './inspector-draft.ts';

const KEY = 'mediadesk.drafts';
/** The most items whose edits are stored. */
const MAX_ITEMS = 100;
const WRITE_AFTER_MS = 300;

let drafts: Map<string, Edits> | null = null;
const writing = delayed(write, WRITE_AFTER_MS);

/** The items with unsaved edits, as `site/media`, for the marks in lists. */
export const useUnsavedItems = create<{ keys: ReadonlySet<string> }>(() => ({ keys: new Set() }));

export const itemKey = (siteId: string, mediaId: string) => `${siteId}/${mediaId}`;

/**
 * Returns the unsaved edits of an item. They stay on this computer until they are saved or reverted, also after
 * Mediadesk was closed, so that closing needs no confirmation.
 */
export function unsavedEdits(siteId: string, mediaId: string): Edits {
  return all().get(itemKey(siteId, mediaId)) ?? {};
}

/** Stores the unsaved edits of an item; without any, forgets the item. */
export function storeEdits(siteId: string, mediaId: string, edits: Edits): void {
  const key = itemKey(siteId, mediaId);
  const known = all();
  if (!hasEdits(edits) && !known.has(key)) return;
  known.delete(key);
  if (hasEdits(edits)) known.set(key, edits);
  notifyLists();
  writing.schedule();
}

/** Removes all edits of an account that was signed out. */
export function forgetEditsOf(siteId: string): void {
  for (const key of [...all().keys()]) if (key.startsWith(`${siteId}/`)) all().delete(key);
  notifyLists();
  writeEdits();
}

/** Writes edits at once that are scheduled to be written: the page is about to close. */
export const writeEdits = writing.runNow;

function write(): void {
  const entries = [...all()].slice(-MAX_ITEMS);
  // When the storage is full, only the latest edits are kept.
  for (let count = entries.length; count >= 0; count = count > 1 ? Math.floor(count / 2) : count - 1) {
    try {
      if (count === 0) localStorage.removeItem(KEY);
      else localStorage.setItem(KEY, JSON.stringify(entries.slice(-count)));
      return;
    } catch (thrown) {
      console.warn('Edits not kept', thrown);
    }
  }
}

function all(): Map<string, Edits> {
  drafts ??= read();
  return drafts;
}

/** Notifies the lists when an item was added or removed. */
function notifyLists(): void {
  const { keys } = useUnsavedItems.getState();
  const known = all();
  if (keys.size === known.size && [...keys].every((key) => known.has(key))) return;
  useUnsavedItems.setState({ keys: new Set(known.keys()) });
}

/** Loads the edits of the previous session, so that lists mark them from the start. */
export function loadEdits(): void {
  notifyLists();
}

function read(): Map<string, Edits> {
  try {
    return validEdits(JSON.parse(localStorage.getItem(KEY) ?? '[]'));
  } catch {
    return new Map();
  }
}

/** Returns the valid edits of stored data, whatever version of the app wrote it. */
export function validEdits(stored: unknown): Map<string, Edits> {
  const result = new Map<string, Edits>();
  for (const entry of Array.isArray(stored) ? stored : []) {
    if (!Array.isArray(entry) || typeof entry[0] !== 'string') continue;
    if (typeof entry[1] !== 'object' || entry[1] === null) continue;
    const from = entry[1] as Record<string, unknown>;
    const edits = DRAFT_FIELDS.map((field) => [field, validEdit(field, from[field])]).filter(
      ([, edit]) => edit !== null,
    );
    if (edits.length > 0) result.set(entry[0], Object.fromEntries(edits));
  }
  return result;
}

/**
 * Returns the edit of a field; null when the stored data is none. Earlier versions stored the typed value alone, and a
 * description as plain text: that value is its own base, so the user is asked when the library has another one.
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
