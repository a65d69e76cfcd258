import { create } from 'zustand';
import type { AppErrorData } from '../../shared/contract/app-error.ts';
import type { MediaDetail } from '../../shared/contract/library.ts';
import { call } from '../bridge/bridge.ts';
import { toErrorData } from '../text/errors.ts';
import { type Draft, draftOf, isDirty, patchOf, problemsOf } from './inspector-draft.ts';
import { patchMediaRow } from './media-store.ts';
import { tell } from './messages-store.ts';

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

/** Edits that were not saved when another item was looked at: they are there again when the person comes back. */
const kept = new Map<string, Draft>();

export function inspect(siteId: string | null, mediaId: string | null): void {
  const before = useInspector.getState();
  if (before.siteId === siteId && before.mediaId === mediaId) return;
  if (before.mediaId !== null && before.opened !== null && before.draft !== null) {
    if (isDirty(before.opened, before.draft)) kept.set(before.mediaId, before.draft);
    else kept.delete(before.mediaId);
  }
  useInspector.setState({ siteId, mediaId, ...EMPTY });
  if (mediaId !== null) void loadDetail();
}

export async function loadDetail(): Promise<void> {
  const { siteId, mediaId } = useInspector.getState();
  if (siteId === null || mediaId === null) return;
  try {
    const detail = await call('library.media', { siteId, mediaId });
    takeDetail(mediaId, detail);
  } catch (thrown) {
    if (useInspector.getState().mediaId === mediaId) useInspector.setState({ loadError: toErrorData(thrown) });
  }
}

/** Shows a newer reading of the item; edits that are under way stay. */
function takeDetail(mediaId: string, detail: MediaDetail): void {
  const state = useInspector.getState();
  if (state.mediaId !== mediaId) return;
  const opened = draftOf(detail.item);
  const keepsEdits = state.opened !== null && state.draft !== null && isDirty(state.opened, state.draft);
  const draft = keepsEdits ? state.draft : (kept.get(mediaId) ?? opened);
  useInspector.setState({ detail, opened, draft, loadError: null });
}

/** Takes the answer of a command that settles all edits. */
function settle(mediaId: string, detail: MediaDetail): void {
  const { item } = detail;
  kept.delete(mediaId);
  const row = { title: item.title, byline: item.byline, status: item.status, tags: item.tags };
  patchMediaRow(mediaId, { ...row, publishOn: item.publish_on, modifiedOn: item.modified_on });
}

export function edit(change: Partial<Draft>): void {
  useInspector.setState((state) => ({
    draft: state.draft === null ? null : { ...state.draft, ...change },
    error: null,
    problems: {},
  }));
}

export function revert(): void {
  const { mediaId, opened } = useInspector.getState();
  if (mediaId !== null) kept.delete(mediaId);
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
  await run('saving', mediaId, async () => {
    const detail = await call('library.updateMedia', { siteId, mediaId, patch });
    settle(mediaId, detail);
    if (useInspector.getState().mediaId === mediaId) useInspector.setState({ opened: null, draft: null });
    takeDetail(mediaId, detail);
    tell('Saved.');
  });
}

/** `publishOn` null: now. */
export async function publish(publishOn: string | null): Promise<void> {
  const { siteId, mediaId } = useInspector.getState();
  if (siteId === null || mediaId === null) return;
  await run('publishing', mediaId, async () => {
    const detail = await call('library.publishMedia', { siteId, mediaId, publishOn });
    patchMediaRow(mediaId, { status: detail.item.status, publishOn: detail.item.publish_on });
    takeDetail(mediaId, detail);
  });
}

export async function unpublish(): Promise<void> {
  const { siteId, mediaId } = useInspector.getState();
  if (siteId === null || mediaId === null) return;
  await run('publishing', mediaId, async () => {
    const detail = await call('library.unpublishMedia', { siteId, mediaId });
    patchMediaRow(mediaId, { status: detail.item.status, publishOn: detail.item.publish_on });
    takeDetail(mediaId, detail);
  });
}

/** True when the item is gone. */
export async function deleteInspected(): Promise<boolean> {
  const { siteId, mediaId } = useInspector.getState();
  if (siteId === null || mediaId === null) return false;
  let gone = false;
  await run('deleting', mediaId, async () => {
    await call('library.deleteMedia', { siteId, mediaId });
    kept.delete(mediaId);
    gone = true;
    tell('Deleted.');
  });
  return gone;
}

async function run(busy: Busy, mediaId: string, work: () => Promise<void>): Promise<void> {
  useInspector.setState({ busy, error: null, problems: {} });
  try {
    await work();
  } catch (thrown) {
    if (useInspector.getState().mediaId === mediaId) useInspector.setState({ error: toErrorData(thrown) });
  } finally {
    if (useInspector.getState().mediaId === mediaId) useInspector.setState({ busy: null });
  }
}
