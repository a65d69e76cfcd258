import { PODCAST_FIELDS } from '../../../../shared/api/podcast-fields.ts';
import type { PodcastDraft } from './podcast-draft.ts';

type Edits = Partial<PodcastDraft>;

const KEY = 'mediadesk.podcast-drafts';
/** The most podcasts whose edits are stored. */
const MAX_PODCASTS = 50;

let stored: Map<string, Edits> | null = null;

const keyOf = (siteId: string, collectionId: string) => `${siteId}/${collectionId}`;

/**
 * Returns the unsaved edits of a podcast. They stay on this computer until they are saved or reverted, also after the dialog
 * or Mediadesk was closed, so that closing needs no confirmation.
 */
export function podcastEditsOf(siteId: string, collectionId: string): Edits | null {
  return all().get(keyOf(siteId, collectionId)) ?? null;
}

/** Stores the unsaved edits of a podcast; null removes them. */
export function storePodcastEdits(siteId: string, collectionId: string, edits: Edits | null): void {
  const key = keyOf(siteId, collectionId);
  const known = all();
  if (edits === null && !known.has(key)) return;
  known.delete(key);
  if (edits !== null) known.set(key, edits);
  write();
}

/** Removes all edits of an account that was signed out. */
export function forgetPodcastEditsOf(siteId: string): void {
  for (const key of [...all().keys()]) if (key.startsWith(`${siteId}/`)) all().delete(key);
  write();
}

function write(): void {
  try {
    localStorage.setItem(KEY, JSON.stringify([...all()].slice(-MAX_PODCASTS)));
  } catch (thrown) {
    console.warn('Edits not kept', thrown);
  }
}

function all(): Map<string, Edits> {
  stored ??= read();
  return stored;
}

function read(): Map<string, Edits> {
  try {
    return validPodcastEdits(JSON.parse(localStorage.getItem(KEY) ?? '[]'));
  } catch {
    return new Map();
  }
}

/** Returns the valid edits of stored data, whatever version of the app wrote it. */
export function validPodcastEdits(data: unknown): Map<string, Edits> {
  const result = new Map<string, Edits>();
  for (const entry of Array.isArray(data) ? data : []) {
    if (!Array.isArray(entry) || typeof entry[0] !== 'string' || typeof entry[1] !== 'object') continue;
    const from = (entry[1] ?? {}) as Record<string, unknown>;
    const edits = PODCAST_FIELDS.flatMap((field) => {
      const text = from[field];
      return typeof text === 'string' ? [[field, text] as const] : [];
    });
    if (edits.length > 0) result.set(entry[0], Object.fromEntries(edits));
  }
  return result;
}
