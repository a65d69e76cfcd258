import { create } from 'zustand';
import { delayed } from '../../async/delayed.ts';
import type { Draft } from './inspector-draft.ts';

/** The edited fields of an item that are not saved. */
type Edits = Partial<Draft>;

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
export function unsavedEdits(siteId: string, mediaId: string): Edits | null {
  return all().get(itemKey(siteId, mediaId)) ?? null;
}

/** Stores the unsaved edits of an item; null removes them. */
export function storeEdits(siteId: string, mediaId: string, edits: Edits | null): void {
  const key = itemKey(siteId, mediaId);
  const known = all();
  if (edits === null && !known.has(key)) return;
  known.delete(key);
  if (edits !== null) known.set(key, edits);
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
    if (!Array.isArray(entry) || typeof entry[0] !== 'string' || typeof entry[1] !== 'object') continue;
    const from = entry[1] as Record<string, unknown> | null;
    const edits: Edits = {};
    for (const field of ['title', 'byline', 'description'] as const) {
      const text = from?.[field];
      if (typeof text === 'string') edits[field] = text;
    }
    if (Array.isArray(from?.tags)) edits.tags = from.tags.filter((tag) => typeof tag === 'string');
    if (Object.keys(edits).length > 0) result.set(entry[0], edits);
  }
  return result;
}
