import { create } from 'zustand';
import type { AppErrorData } from '../../../../shared/contract/app-error.ts';
import type { MediaDetail, MediaRights } from '../../../../shared/contract/library.ts';
import { latestOnly, type OrderedRequest } from '../../../kit/async/latest-only.ts';
import { call } from '../../../kit/bridge/bridge.ts';
import { stepText, toErrorData } from '../../../kit/text/errors.ts';
import { announce, showError, warn } from '../../common/state/messages-store.ts';
import {
  type Draft,
  type DraftEdits,
  type DraftField,
  draftValuesOf,
  fieldProblemsOf,
  hasEdits,
  itemForm,
} from './inspector-draft.ts';
import { patchMediaRow } from './media-store.ts';
import { texts } from './texts.ts';
import { itemKey, storeEdits, unsavedEdits } from './unsaved-edits.ts';

export type InspectorTab = 'details' | 'files';
export type Busy = 'saving' | 'publishing' | 'deleting' | null;

interface InspectorState {
  siteId: string | null;
  mediaId: string | null;
  detail: MediaDetail | null;
  loadError: AppErrorData | null;
  /** Why the shown item is no longer in the library; null while it is. */
  gone: AppErrorData | null;
  /** The actions that the account can't do with the item; null until they are known. */
  rights: MediaRights | null;
  /** The values of the library; null until the item is loaded. */
  values: Draft | null;
  /** The changed fields of this item. */
  edits: DraftEdits;
  /** The shown values of the fields: `values` with `edits`. */
  draft: Draft | null;
  busy: Busy;
  /** How the last save ended; null after the next edit. */
  outcome: 'saved' | null;
  tab: InspectorTab;
  /** The error of the last command; cleared by the next edit. */
  error: AppErrorData | null;
  problems: Record<string, string>;
  /** The title of the item to delete, while the question about it is open. */
  deleting: string | null;
}

const EMPTY = {
  detail: null,
  loadError: null,
  gone: null,
  rights: null,
  values: null,
  edits: {},
  draft: null,
  busy: null,
  outcome: null,
  error: null,
  problems: {},
  deleting: null,
} as const;

export const useInspector = create<InspectorState>(() => ({ siteId: null, mediaId: null, tab: 'details', ...EMPTY }));

/** The commands in flight by item: an item that is shown again is still busy. */
const running = new Map<string, Busy>();

export function inspect(siteId: string | null, mediaId: string | null): void {
  const before = useInspector.getState();
  if (before.siteId === siteId && before.mediaId === mediaId) return;
  const busy = siteId === null || mediaId === null ? null : (running.get(itemKey(siteId, mediaId)) ?? null);
  useInspector.setState({ siteId, mediaId, ...EMPTY, busy });
  if (mediaId !== null) void loadDetail();
  if (mediaId !== null) void loadRights();
}

/** Returns whether an item is the shown one. Ids are unique within a library only, so the site counts too. */
export function isItemShown(siteId: string, mediaId: string): boolean {
  const now = useInspector.getState();
  return now.siteId === siteId && now.mediaId === mediaId;
}

/** Orders reads of the item and answers of commands: an older one never replaces a newer one. */
const reads = latestOnly();

export async function loadDetail(): Promise<void> {
  const { siteId, mediaId } = useInspector.getState();
  if (siteId === null || mediaId === null) return;
  const read = reads.begin();
  try {
    const detail = await call('library.media', { siteId, mediaId });
    takeDetail(siteId, mediaId, detail, read);
  } catch (thrown) {
    const error = toErrorData(thrown);
    if (!isItemShown(siteId, mediaId) || !read.accept()) return;
    useInspector.setState({ loadError: error, ...(isGone(error) ? { gone: error } : {}) });
  }
}

/**
 * Loads the rights of the account to the shown item. Nothing is disabled while they are unknown. `isFresh`: asks the library
 * instead of using an earlier answer.
 */
async function loadRights(isFresh = false): Promise<void> {
  const { siteId, mediaId } = useInspector.getState();
  if (siteId === null || mediaId === null) return;
  try {
    const rights = await call('library.rights', { siteId, mediaId, isFresh });
    if (isItemShown(siteId, mediaId)) useInspector.setState({ rights });
  } catch (thrown) {
    // The same cause prevents the item from being loaded, which is reported.
    console.warn('Permissions not loaded', thrown);
  }
}

const REFUSALS: ReadonlySet<string> = new Set(['api.forbidden', 'edit.window-over']);

/**
 * Returns whether an error means that the account can't edit the item: its permissions changed, or its time for own items is
 * over.
 */
function isRefusal({ code }: AppErrorData): boolean {
  return REFUSALS.has(code) || code.startsWith('edit.needs-');
}

/** Returns whether the library no longer has the item, or doesn't show it to this account. */
function isGone({ code }: AppErrorData): boolean {
  return code === 'api.not-found';
}

/** Shows a newer state of the item. Edited fields keep their edits; all others follow the library. */
export function takeDetail(
  siteId: string,
  mediaId: string,
  detail: MediaDetail,
  read: OrderedRequest = reads.begin(),
): void {
  if (!isItemShown(siteId, mediaId) || !read.accept()) return;
  const values = draftValuesOf(detail.item);
  const before = useInspector.getState();
  const edits = itemForm.followed(values, before.values === null ? unsavedEdits(siteId, mediaId) : before.edits);
  storeEdits(siteId, mediaId, edits);
  useInspector.setState({ detail, values, edits, draft: itemForm.shown(values, edits), loadError: null, gone: null });
}

/** Stores edits of the shown item and shows them. */
function takeEdits(siteId: string, mediaId: string, values: Draft, edits: DraftEdits): void {
  storeEdits(siteId, mediaId, edits);
  useInspector.setState({ edits, draft: itemForm.shown(values, edits), error: null, problems: {}, outcome: null });
}

export function edit(change: Partial<Draft>): void {
  const { siteId, mediaId, values, edits } = useInspector.getState();
  if (siteId === null || mediaId === null || values === null) return;
  takeEdits(siteId, mediaId, values, itemForm.changed(values, edits, change));
}

/** Decides about a field that someone else changed too. */
export function settleConflict(field: DraftField, choice: 'mine' | 'theirs'): void {
  const { siteId, mediaId, values, edits } = useInspector.getState();
  if (siteId === null || mediaId === null || values === null) return;
  takeEdits(siteId, mediaId, values, itemForm.settled(values, edits, field, choice));
}

export function revertDraft(): void {
  const { siteId, mediaId, values } = useInspector.getState();
  if (siteId !== null && mediaId !== null && values !== null) takeEdits(siteId, mediaId, values, {});
}

/** The items whose edits are saved again when the save in flight has ended. */
const again = new Set<string>();

/**
 * Saves the changed fields of the shown item. Its answer is applied to that item, whichever is shown by then. While an earlier
 * save of the item is in flight, this save follows it.
 */
export async function save(): Promise<void> {
  const { siteId, mediaId, detail, values, edits, busy, gone } = useInspector.getState();
  if (siteId === null || mediaId === null || detail === null || values === null) return;
  if (busy === 'saving') again.add(itemKey(siteId, mediaId));
  if (busy !== null || gone !== null || !hasEdits(edits)) return;
  const conflicts = itemForm.conflicts(values, edits).map((field) => [field, texts.decideFirst]);
  const problems = { ...Object.fromEntries(conflicts), ...fieldProblemsOf(edits) };
  if (hasEntries(problems)) {
    useInspector.setState({ problems });
    return;
  }
  await send(siteId, mediaId, detail.item.title, edits);
}

async function send(siteId: string, mediaId: string, title: string, edits: DraftEdits): Promise<void> {
  const input = { siteId, mediaId, patch: itemForm.patch(edits), expected: itemForm.expected(edits) };
  const isDone = await runOnItem('saving', siteId, mediaId, title, async () => {
    try {
      takeSaved(siteId, mediaId, await call('library.updateMedia', input), edits);
    } catch (thrown) {
      if (toErrorData(thrown).code !== 'edit.conflict' || !(await showsConflict(siteId, mediaId))) throw thrown;
    }
  });
  if (!again.delete(itemKey(siteId, mediaId)) || !isDone) return;
  const left = unsavedEdits(siteId, mediaId);
  if (hasEdits(left) && !hasEntries(fieldProblemsOf(left))) await send(siteId, mediaId, title, left);
}

/**
 * Reads the item after a conflict. Some fields may be saved and others changed by someone else: the library's present values show
 * which. Returns whether the screen now asks about them.
 */
async function showsConflict(siteId: string, mediaId: string): Promise<boolean> {
  if (!isItemShown(siteId, mediaId)) return false;
  await loadDetail();
  const { values, edits } = useInspector.getState();
  return isItemShown(siteId, mediaId) && values !== null && itemForm.conflicts(values, edits).length > 0;
}

function hasEntries(record: Readonly<Record<string, string>>): boolean {
  return Object.keys(record).length > 0;
}

/** Drops the edits that were saved, and changes the item's row in the list. */
function takeSaved(siteId: string, mediaId: string, detail: MediaDetail, sent: DraftEdits): void {
  const { item } = detail;
  const now = useInspector.getState();
  const edits = isItemShown(siteId, mediaId) && now.values !== null ? now.edits : unsavedEdits(siteId, mediaId);
  const left = itemForm.after(sent, edits, draftValuesOf(item));
  storeEdits(siteId, mediaId, left);
  if (isItemShown(siteId, mediaId) && now.values !== null) useInspector.setState({ edits: left });
  const row = { title: item.title, byline: item.byline, status: item.status, tags: item.tags };
  patchMediaRow(siteId, mediaId, { ...row, publishOn: item.publish_on, modifiedOn: item.modified_on });
  announce(detail.isPending === true ? texts.stored : texts.saved);
  takeDetail(siteId, mediaId, detail);
  if (isItemShown(siteId, mediaId)) {
    useInspector.setState(({ edits }) => ({ outcome: hasEdits(edits) ? null : 'saved' }));
  }
}

/**
 * Runs a command of an item and returns whether it worked. An error of an item that is no longer shown is reported in a
 * message with its title.
 */
export async function runOnItem(
  busy: Busy,
  siteId: string,
  mediaId: string,
  title: string,
  work: () => Promise<void>,
): Promise<boolean> {
  const key = itemKey(siteId, mediaId);
  running.set(key, busy);
  if (isItemShown(siteId, mediaId)) useInspector.setState({ busy, error: null, problems: {} });
  try {
    await work();
    return true;
  } catch (thrown) {
    const error = toErrorData(thrown);
    if (!isItemShown(siteId, mediaId)) {
      if (busy === 'saving') warn(`${texts.notSavedOther(title)} ${error.message}`, stepText(error));
      else showError(thrown);
    } else if (isRefusal(error)) {
      useInspector.setState({ error });
      void loadRights(true);
    } else if (isGone(error)) useInspector.setState({ gone: error });
    else useInspector.setState({ error });
    return false;
  } finally {
    running.delete(key);
    if (isItemShown(siteId, mediaId)) useInspector.setState({ busy: null });
  }
}
