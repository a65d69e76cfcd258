import { PODCAST_FIELDS } from '../../../../../shared/api/podcast-fields.ts';
import { StoredDrafts } from '../../../common/state/stored-drafts.ts';
import type { PodcastDraft } from './podcast-draft.ts';

/** The edited values as the user typed them. */
type Edits = Partial<PodcastDraft>;

/** The most podcasts whose edits are stored. */
const MAX_PODCASTS = 50;

const stored = new StoredDrafts<Edits>({ name: 'mediadesk.podcast-drafts', most: MAX_PODCASTS, read: readEdits });

const keyOf = (siteId: string, collectionId: string) => `${siteId}/${collectionId}`;

/**
 * Returns the unsaved edits of a podcast. They stay on this computer until they are saved or reverted, even after the dialog or
 * Mediadesk was closed, so closing needs no confirmation.
 */
export function podcastEditsOf(siteId: string, collectionId: string): Edits {
  return stored.drafts.get(keyOf(siteId, collectionId)) ?? {};
}

/** Stores the unsaved edits of a podcast; an empty object removes them. */
export function storePodcastEdits(siteId: string, collectionId: string, edits: Edits): void {
  const key = keyOf(siteId, collectionId);
  const isEmpty = Object.keys(edits).length === 0;
  if (isEmpty && !stored.drafts.has(key)) return;
  stored.set(key, isEmpty ? null : edits);
  stored.write();
}

/** The number of podcasts of an account with unsaved edits. */
export function podcastEditsCount(siteId: string): number {
  return [...stored.drafts.keys()].filter((key) => key.startsWith(`${siteId}/`)).length;
}

/** Removes all unsaved edits of an account that was signed out. */
export function forgetPodcastEditsOf(siteId: string): void {
  stored.removeAccount(siteId);
}

/** Returns the valid edits in stored data, whatever version of the app wrote the data. */
export function validPodcastEdits(data: unknown): Map<string, Edits> {
  return stored.valid(data);
}

function readEdits(from: Readonly<Record<string, unknown>>): Edits | null {
  const edits = PODCAST_FIELDS.flatMap((field) => {
    const text = from[field];
    return typeof text === 'string' ? [[field, text] as const] : [];
  });
  return edits.length > 0 ? Object.fromEntries(edits) : null;
}
