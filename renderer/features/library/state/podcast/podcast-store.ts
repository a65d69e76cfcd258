import { create } from 'zustand';
import type { PodcastField } from '../../../../../shared/api/podcast-fields.ts';
import type { AppErrorData } from '../../../../../shared/contract/app-error.ts';
import type { Podcast } from '../../../../../shared/contract/collections.ts';
import { latestOnly } from '../../../../kit/async/latest-only.ts';
import { call } from '../../../../kit/bridge/bridge.ts';
import { fieldErrorsOf, toErrorData } from '../../../../kit/text/errors.ts';
import { attempt, notify } from '../../../common/state/messages-store.ts';
import { texts } from '../texts.ts';
import { draftOfPodcast, type PodcastDraft, type PodcastEdits, podcastFindings, podcastForm } from './podcast-draft.ts';
import { podcastEditsOf, storePodcastEdits } from './stored-podcast-edits.ts';

interface PodcastState {
  siteId: string | null;
  collectionId: string | null;
  podcast: Podcast | null;
  /** The values of the library; null until they are loaded. */
  opened: PodcastDraft | null;
  edits: PodcastEdits;
  /** The shown values: `opened` with `edits`. */
  draft: PodcastDraft | null;
  isSaving: boolean;
  error: AppErrorData | null;
  /** The messages of the library about refused values, by field. */
  refused: Partial<Record<PodcastField, string>>;
}

const CLOSED: PodcastState = {
  siteId: null,
  collectionId: null,
  podcast: null,
  opened: null,
  draft: null,
  isSaving: false,
  error: null,
  edits: {},
  refused: {},
};

/** The podcast whose details are edited. */
export const usePodcast = create<PodcastState>(() => CLOSED);

const reads = latestOnly();

/** Loads the details of a podcast, and restores unsaved edits of an earlier session. null closes the podcast. */
export function openPodcast(siteId: string | null, collectionId: string | null): void {
  reads.cancel();
  usePodcast.setState({ ...CLOSED, siteId, collectionId });
  if (collectionId !== null) void loadPodcast();
}

export async function loadPodcast(): Promise<void> {
  const { siteId, collectionId } = usePodcast.getState();
  if (siteId === null || collectionId === null) return;
  const read = reads.begin();
  usePodcast.setState({ error: null });
  try {
    const podcast = await call('library.podcast', { siteId, collectionId });
    if (read.accept()) takePodcast(siteId, collectionId, podcast);
  } catch (thrown) {
    if (read.accept()) usePodcast.setState({ error: toErrorData(thrown) });
  }
}

/** Reads only the artwork again, for example after a thumbnail was set. All other values stay as they were opened. */
export function readArtwork(): Promise<void> {
  return attempt(async () => {
    const { siteId, collectionId } = usePodcast.getState();
    if (siteId === null || collectionId === null) return;
    const { artwork } = await call('library.podcast', { siteId, collectionId });
    usePodcast.setState(({ podcast, collectionId: shown }) =>
      podcast === null || shown !== collectionId ? {} : { podcast: { ...podcast, artwork } },
    );
  });
}

/** Shows newer details of the podcast. Edited fields keep their edits; all other fields take the values of the library. */
function takePodcast(siteId: string, collectionId: string, podcast: Podcast): void {
  const opened = draftOfPodcast(podcast.details);
  const edits = podcastForm.changed(opened, {}, podcastEditsOf(siteId, collectionId));
  usePodcast.setState({ podcast, opened, edits, draft: podcastForm.shown(opened, edits), error: null, refused: {} });
}

export function editPodcast(change: Partial<PodcastDraft>): void {
  const { siteId, collectionId, opened, edits: before } = usePodcast.getState();
  if (siteId === null || collectionId === null || opened === null) return;
  const edits = podcastForm.changed(opened, before, change);
  usePodcast.setState({ edits, draft: podcastForm.shown(opened, edits), error: null, refused: {} });
  storePodcastEdits(siteId, collectionId, podcastForm.mine(edits));
}

export function revertPodcast(): void {
  const { siteId, collectionId, opened } = usePodcast.getState();
  if (siteId === null || collectionId === null) return;
  storePodcastEdits(siteId, collectionId, {});
  usePodcast.setState({ edits: {}, draft: opened, error: null, refused: {} });
}

/**
 * Saves the changed fields, provided that the library still has the values that were opened. Returns whether they were saved.
 * Shows the message about a refused value at its field.
 */
export async function savePodcast(): Promise<boolean> {
  const { siteId, collectionId, podcast, opened, draft, edits, isSaving } = usePodcast.getState();
  if (siteId === null || collectionId === null || podcast === null || opened === null || draft === null) return false;
  const findings = podcastFindings(opened, draft, podcast.collection.display_name);
  if (isSaving || Object.values(findings).some(({ kind }) => kind === 'problem')) return false;
  const patch = podcastForm.patch(edits);
  const fields = Object.keys(patch) as PodcastField[];
  const expected = Object.fromEntries(fields.map((field) => [field, podcast.details[field]]));
  const isShown = () => usePodcast.getState().collectionId === collectionId;
  usePodcast.setState({ isSaving: true, error: null, refused: {} });
  try {
    const saved = await call('library.updatePodcast', { siteId, collectionId, patch, expected });
    // Text that the user typed while the request was in flight is not saved yet.
    const now = isShown() ? usePodcast.getState().edits : edits;
    const left = podcastForm.after(edits, now, draftOfPodcast(saved.details));
    storePodcastEdits(siteId, collectionId, podcastForm.mine(left));
    if (isShown()) takePodcast(siteId, collectionId, saved);
    notify(saved.isPending ? texts.podcast.savedHere : texts.podcast.saved);
    return true;
  } catch (thrown) {
    const error = toErrorData(thrown);
    const { fields: refused } = fieldErrorsOf(error, fields);
    if (isShown()) usePodcast.setState({ refused, error: Object.keys(refused).length > 0 ? null : error });
    return false;
  } finally {
    if (isShown()) usePodcast.setState({ isSaving: false });
  }
}
