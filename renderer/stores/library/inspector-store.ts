import { create } from 'zustand';
import type { AppErrorData } from '../../../shared/contract/app-error.ts';
import type { MediaDetail } from '../../../shared/contract/library.ts';
import { latestOnly, type OrderedRequest } from '../../async/latest-only.ts';
import { call } from '../../bridge/bridge.ts';
import { toErrorData } from '../../text/errors.ts';
import { notify, showError } from '../app/messages-store.ts';
import { type Draft, draftOf, editsOf, patchOf, problemsOf } from './inspector-draft.ts';
import { mediaList, patchMediaRow } from './media-store.ts';
import { publicationWords } from './publication-text.ts';
import { texts } from './texts.ts';
import { storeEdits, unsavedEdits } from './unsaved-edits.ts';

export type InspectorTab = 'details' | 'files';
type Busy = 'saving' | 'publishing' | 'deleting' | null;

interface InspectorState {
  siteId: string | null;
  mediaId: string | null;
  detail: MediaDetail | null;
  loadError: AppErrorData | null;
  opened: Draft | null;
  draft: Draft | null;
  busy: Busy;
  tab: InspectorTab;
  /** The error of the last command; cleared by the next edit. */
  error: AppErrorData | null;
  problems: Record<string, string>;
  /** The title of the item that is to be deleted, while the question about it is open. */
  deleting: string | null;
}

const EMPTY = {
  detail: null,
  loadError: null,
  opened: null,
  draft: null,
  busy: null,
  error: null,
  problems: {},
  deleting: null,
} as const;

export const useInspector = create<InspectorState>(() => ({ siteId: null, mediaId: null, tab: 'details', ...EMPTY }));

export function inspect(siteId: string | null, mediaId: string | null): void {
  const before = useInspector.getState();
  if (before.siteId === siteId && before.mediaId === mediaId) return;
  useInspector.setState({ siteId, mediaId, ...EMPTY });
  if (mediaId !== null) void loadDetail();
}

/** Returns whether an item is the one that is shown. Ids are unique within a library only, so the site counts too. */
function isShown(siteId: string, mediaId: string): boolean {
  const now = useInspector.getState();
  return now.siteId === siteId && now.mediaId === mediaId;
}

/** Reads of the item and answers of commands: an older one never replaces a newer one. */
const reads = latestOnly();

export async function loadDetail(): Promise<void> {
  const { siteId, mediaId } = useInspector.getState();
  if (siteId === null || mediaId === null) return;
  const read = reads.begin();
  try {
    const detail = await call('library.media', { siteId, mediaId });
    takeDetail(siteId, mediaId, detail, read);
  } catch (thrown) {
    if (isShown(siteId, mediaId)) useInspector.setState({ loadError: toErrorData(thrown) });
  }
}

/** Shows a newer state of the item. Edited fields keep their edits; all others follow the library. */
function takeDetail(siteId: string, mediaId: string, detail: MediaDetail, read: OrderedRequest = reads.begin()): void {
  if (!isShown(siteId, mediaId) || !read.accept()) return;
  const opened = draftOf(detail.item);
  useInspector.setState({ detail, opened, draft: { ...opened, ...unsavedEdits(siteId, mediaId) }, loadError: null });
}

/** Drops the edits that a command saved, and changes the item's row in the list. */
function takeSaved(siteId: string, mediaId: string, detail: MediaDetail): void {
  const { item } = detail;
  storeEdits(siteId, mediaId, null);
  const row = { title: item.title, byline: item.byline, status: item.status, tags: item.tags };
  patchMediaRow(siteId, mediaId, { ...row, publishOn: item.publish_on, modifiedOn: item.modified_on });
}

export function edit(change: Partial<Draft>): void {
  const { siteId, mediaId, opened, draft: before } = useInspector.getState();
  if (siteId === null || mediaId === null || opened === null || before === null) return;
  const draft = { ...before, ...change };
  useInspector.setState({ draft, error: null, problems: {} });
  storeEdits(siteId, mediaId, editsOf(opened, draft));
}

export function revert(): void {
  const { siteId, mediaId, opened } = useInspector.getState();
  if (siteId !== null && mediaId !== null) storeEdits(siteId, mediaId, null);
  useInspector.setState({ draft: opened, error: null, problems: {} });
}

export async function save(): Promise<void> {
  const { siteId, mediaId, opened, draft, busy } = useInspector.getState();
  if (siteId === null || mediaId === null || opened === null || draft === null || busy !== null) return;
  const problems = problemsOf(draft);
  if (Object.keys(problems).length > 0) {
    useInspector.setState({ problems });
    return;
  }
  const patch = patchOf(opened, draft);
  await run('saving', siteId, mediaId, async () => {
    const detail = await call('library.updateMedia', { siteId, mediaId, patch });
    takeSaved(siteId, mediaId, detail);
    // What was typed while the command was in flight is not saved yet.
    const now = useInspector.getState();
    if (isShown(siteId, mediaId) && now.draft !== null) storeEdits(siteId, mediaId, editsOf(draft, now.draft));
    takeDetail(siteId, mediaId, detail);
    notify(texts.saved);
  });
}

/** Publishes the item at an instant in ISO 8601; null publishes it now. */
export function publish(publishOn: string | null): Promise<void> {
  return changePublication(({ siteId, mediaId }) => call('library.publishMedia', { siteId, mediaId, publishOn }));
}

export function unpublish(): Promise<void> {
  return changePublication((media) => call('library.unpublishMedia', media));
}

/** Runs a change of publication. Its answer is the item after the change, which is shown and announced. */
async function changePublication(
  change: (media: { siteId: string; mediaId: string }) => Promise<MediaDetail>,
): Promise<void> {
  const { siteId, mediaId } = useInspector.getState();
  if (siteId === null || mediaId === null) return;
  await run('publishing', siteId, mediaId, async () => {
    const detail = await change({ siteId, mediaId });
    const { title, status, publish_on: publishOn } = detail.item;
    patchMediaRow(siteId, mediaId, { status, publishOn });
    takeDetail(siteId, mediaId, detail);
    notify(publicationWords(title, status, publishOn));
  });
}

/** Opens the question whether the shown item is to be deleted. */
export function askToDelete(title: string): void {
  useInspector.setState({ deleting: title });
}

export function keepItem(): void {
  useInspector.setState({ deleting: null });
}

/** Deletes the item. Returns whether it was deleted and is still the one that is shown. */
export async function deleteInspected(): Promise<boolean> {
  const { siteId, mediaId } = useInspector.getState();
  if (siteId === null || mediaId === null) return false;
  let isGone = false;
  await run('deleting', siteId, mediaId, async () => {
    await call('library.deleteMedia', { siteId, mediaId });
    storeEdits(siteId, mediaId, null);
    isGone = isShown(siteId, mediaId);
    notify(texts.deleted);
    mediaList.refresh();
  });
  return isGone;
}

/** Runs a command of an item. An error of an item that is no longer shown is reported in a message. */
async function run(busy: Busy, siteId: string, mediaId: string, work: () => Promise<void>): Promise<void> {
  useInspector.setState({ busy, error: null, problems: {} });
  try {
    await work();
  } catch (thrown) {
    if (isShown(siteId, mediaId)) useInspector.setState({ error: toErrorData(thrown) });
    else showError(thrown);
  } finally {
    if (isShown(siteId, mediaId)) useInspector.setState({ busy: null });
  }
}
