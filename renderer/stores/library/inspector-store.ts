import { create } from 'zustand';
import type { AppErrorData } from '../../../shared/contract/app-error.ts';
import type { MediaDetail } from '../../../shared/contract/library.ts';
import { call } from '../../bridge/bridge.ts';
import { toErrorData } from '../../text/errors.ts';
import { report, tell } from '../app/messages-store.ts';
import { type Draft, draftOf, editsOf, patchOf, problemsOf } from './inspector-draft.ts';
import { keepEdits, keptEdits } from './kept-drafts.ts';
import { patchMediaRow, refreshMedia } from './media-store.ts';
import { publicationWords } from './publication-text.ts';

export type InspectorTab = 'details' | 'files';
export type Busy = 'saving' | 'publishing' | 'deleting' | null;

interface InspectorState {
  siteId: string | null;
  mediaId: string | null;
  detail: MediaDetail | null;
  loadError: AppErrorData | null;
  opened: Draft | null;
  draft: Draft | null;
  busy: Busy;
  tab: InspectorTab;
  /** Of the last command; cleared by the next edit. */
  error: AppErrorData | null;
  problems: Record<string, string>;
}

const EMPTY = {
  detail: null,
  loadError: null,
  opened: null,
  draft: null,
  busy: null,
  error: null,
  problems: {},
} as const;

export const useInspector = create<InspectorState>(() => ({ siteId: null, mediaId: null, tab: 'details', ...EMPTY }));

export function inspect(siteId: string | null, mediaId: string | null): void {
  const before = useInspector.getState();
  if (before.siteId === siteId && before.mediaId === mediaId) return;
  useInspector.setState({ siteId, mediaId, ...EMPTY });
  if (mediaId !== null) void loadDetail();
}

/** Libraries number their items from one: an item is meant by its account and its id together. */
function isShown(siteId: string, mediaId: string): boolean {
  const now = useInspector.getState();
  return now.siteId === siteId && now.mediaId === mediaId;
}

/** Readings of items and the answers of commands, in their order: none is shown after a younger one. */
let begun = 0;
let shown = 0;

export async function loadDetail(): Promise<void> {
  const { siteId, mediaId } = useInspector.getState();
  if (siteId === null || mediaId === null) return;
  const reading = ++begun;
  try {
    const detail = await call('library.media', { siteId, mediaId });
    takeDetail(siteId, mediaId, detail, reading);
  } catch (thrown) {
    if (isShown(siteId, mediaId)) useInspector.setState({ loadError: toErrorData(thrown) });
  }
}

/** Shows a newer reading of the item. Edited fields stay as they were left; all others follow the library. */
function takeDetail(siteId: string, mediaId: string, detail: MediaDetail, reading = ++begun): void {
  if (!isShown(siteId, mediaId) || reading < shown) return;
  shown = reading;
  const opened = draftOf(detail.item);
  useInspector.setState({ detail, opened, draft: { ...opened, ...keptEdits(siteId, mediaId) }, loadError: null });
}

/** Takes the answer of a command that settles all edits. */
function settle(siteId: string, mediaId: string, detail: MediaDetail): void {
  const { item } = detail;
  keepEdits(siteId, mediaId, null);
  const row = { title: item.title, byline: item.byline, status: item.status, tags: item.tags };
  patchMediaRow(siteId, mediaId, { ...row, publishOn: item.publish_on, modifiedOn: item.modified_on });
}

export function edit(change: Partial<Draft>): void {
  const { siteId, mediaId, opened, draft: before } = useInspector.getState();
  if (siteId === null || mediaId === null || opened === null || before === null) return;
  const draft = { ...before, ...change };
  useInspector.setState({ draft, error: null, problems: {} });
  keepEdits(siteId, mediaId, editsOf(opened, draft));
}

export function revert(): void {
  const { siteId, mediaId, opened } = useInspector.getState();
  if (siteId !== null && mediaId !== null) keepEdits(siteId, mediaId, null);
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
    settle(siteId, mediaId, detail);
    // What was typed while the answer was on its way is not saved yet.
    const now = useInspector.getState();
    if (isShown(siteId, mediaId) && now.draft !== null) keepEdits(siteId, mediaId, editsOf(draft, now.draft));
    takeDetail(siteId, mediaId, detail);
    tell('Saved.');
  });
}

/** `publishOn` null: now. */
export function publish(publishOn: string | null): Promise<void> {
  return changePublication(({ siteId, mediaId }) => call('library.publishMedia', { siteId, mediaId, publishOn }));
}

export function unpublish(): Promise<void> {
  return changePublication((media) => call('library.unpublishMedia', media));
}

/** The answer is the item as the library has it after the change: that is what is shown and said. */
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
    tell(publicationWords(title, status, publishOn));
  });
}

/** True when the item is gone and nothing else was chosen meanwhile. */
export async function deleteInspected(): Promise<boolean> {
  const { siteId, mediaId } = useInspector.getState();
  if (siteId === null || mediaId === null) return false;
  let gone = false;
  await run('deleting', siteId, mediaId, async () => {
    await call('library.deleteMedia', { siteId, mediaId });
    keepEdits(siteId, mediaId, null);
    gone = isShown(siteId, mediaId);
    tell('Deleted.');
    refreshMedia();
  });
  return gone;
}

/** What failed for an item that is no longer shown is told in a message: its place is gone. */
async function run(busy: Busy, siteId: string, mediaId: string, work: () => Promise<void>): Promise<void> {
  useInspector.setState({ busy, error: null, problems: {} });
  try {
    await work();
  } catch (thrown) {
    if (isShown(siteId, mediaId)) useInspector.setState({ error: toErrorData(thrown) });
    else report(thrown);
  } finally {
    if (isShown(siteId, mediaId)) useInspector.setState({ busy: null });
  }
}
