import { create } from 'zustand';
import { delayed } from '../../async/delayed.ts';
import type { Draft } from './inspector-draft.ts';

/** Fields of an item that were edited and not saved, as they were left. */
type Edits = Partial<Draft>;

const KEY = 'mediadesk.drafts';
const MOST = 100;
const SETTLE_MS = 300;

let drafts: Map<string, Edits> | null = null;
const writing = delayed(write, SETTLE_MS);

/** Which items have edits that are not saved, as `site/media`: lists mark them. */
export const useKept = create<{ keys: ReadonlySet<string> }>(() => ({ keys: new Set() }));

export const keyOf = (siteId: string, mediaId: string) => `${siteId}/${mediaId}`;

/**
 * Edits that were not saved: they are there again when the person comes back to the item, also after Mediadesk was
 * closed, so that closing needs no question. They are kept on this computer until they are saved or reverted.
 */
export function keptEdits(siteId: string, mediaId: string): Edits | null {
  return all().get(keyOf(siteId, mediaId)) ?? null;
}

/** null forgets what is kept of the item. */
export function keepEdits(siteId: string, mediaId: string, edits: Edits | null): void {
  const key = keyOf(siteId, mediaId);
  const known = all();
  if (edits === null && !known.has(key)) return;
  known.delete(key);
  if (edits !== null) known.set(key, edits);
  mark();
  writing.schedule();
}

/** Nothing of an account stays after it was signed out. */
export function forgetEditsOf(siteId: string): void {
  for (const key of [...all().keys()]) if (key.startsWith(`${siteId}/`)) all().delete(key);
  mark();
  writeKept();
}

/** Writes edits at once that are scheduled to be written: the page is about to close. */
export const writeKept = writing.runNow;

function write(): void {
  const entries = [...all()].slice(-MOST);
  // A full storage takes the latest ones.
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

/** Tells lists about it, where something was added or taken away. */
function mark(): void {
  const { keys } = useKept.getState();
  const known = all();
  if (keys.size === known.size && [...keys].every((key) => known.has(key))) return;
  useKept.setState({ keys: new Set(known.keys()) });
}

/** Reads what was kept when Mediadesk was closed, so that lists mark it from the start. */
export function openKept(): void {
  mark();
}

function read(): Map<string, Edits> {
  try {
    return cleanEdits(JSON.parse(localStorage.getItem(KEY) ?? '[]'));
  } catch {
    return new Map();
  }
}

/** What was stored by any version, as edits that are safe to use. */
export function cleanEdits(stored: unknown): Map<string, Edits> {
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
