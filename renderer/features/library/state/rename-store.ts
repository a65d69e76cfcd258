import { create } from 'zustand';
import { changeTo } from '../../../../shared/model/edits/bulk-change.ts';
import { showError, warn } from '../../common/state/messages-store.ts';
import { fieldProblemsOf, itemForm } from './inspector-draft.ts';
import { edit, isItemShown, loadDetail, useInspector } from './inspector-store.ts';
import { mediaList, patchMediaRow, placeInOpenList } from './media-store.ts';
import { applyNow } from './selection/review-store.ts';
import { areRightsKnown, loadRightsTo, refusalOf, runAllowed } from './selection/rights-store.ts';
import { texts } from './texts.ts';
import { storeEdits, unsavedEdits } from './unsaved-edits.ts';

/** The item whose title is edited in its row. `text`: what the user typed, so that a row that moves keeps it. */
interface Renamed {
  siteId: string;
  mediaId: string;
  /** The title in the list when the edit began. */
  base: string;
  text: string;
  /** The account turned out to lack the right, so the edit ends. */
  isRefused?: boolean;
}

export const useRename = create<{ renamed: Renamed | null }>(() => ({ renamed: null }));

type Item = Pick<Renamed, 'siteId' | 'mediaId'>;

/**
 * Edits the title of an item in its row, if the account may edit it; otherwise a message says why it can't. While that is not known,
 * the edit begins: keys that the user types would do something else in the list. A title that the inspector has not saved yet is
 * continued.
 */
export async function startItemRename({ siteId, mediaId }: Item, title: string): Promise<void> {
  const target = { selection: { siteId, ids: [mediaId] }, count: 1, title };
  if (areRightsKnown(target))
    return runAllowed(refusalOf(target, 'edit'), () => beginRename({ siteId, mediaId }, title));
  beginRename({ siteId, mediaId }, title);
  await loadRightsTo(target);
  const { renamed } = useRename.getState();
  const refusal = refusalOf(target, 'edit');
  if (refusal === null || renamed?.siteId !== siteId || renamed.mediaId !== mediaId) return;
  useRename.setState({ renamed: { ...renamed, isRefused: true } });
  warn(refusal.message, refusal.nextStep);
}

function beginRename({ siteId, mediaId }: Item, title: string): void {
  if (placeInOpenList(mediaId) === null) return;
  const text = unsavedEdits(siteId, mediaId).title?.mine ?? title;
  useRename.setState({ renamed: { siteId, mediaId, base: title, text } });
}

export function noteRenameText(text: string): void {
  const { renamed } = useRename.getState();
  if (renamed !== null) useRename.setState({ renamed: { ...renamed, text } });
}

export function endRename(): void {
  useRename.setState({ renamed: null });
}

/**
 * Stores the title of the renamed item in the journal of edits, with an undo. Returns whether it is stored, or already the title; a
 * message reports why not.
 */
export async function storeTitle(): Promise<boolean> {
  const { renamed } = useRename.getState();
  if (renamed === null) return true;
  const { siteId, mediaId, base, text } = renamed;
  const edits = { title: { mine: text, base } };
  const problem = fieldProblemsOf(edits).title;
  if (problem !== undefined) {
    warn(problem, null);
    return false;
  }
  const { title } = itemForm.patch(edits);
  if (title !== undefined) {
    const selection = { siteId, ids: [mediaId] };
    try {
      await applyNow({ selection, change: changeTo({ title }), label: texts.selection.labels.rename });
    } catch (thrown) {
      showError(thrown);
      return false;
    }
    patchMediaRow(siteId, mediaId, { title });
  }
  dropUnsavedTitle(siteId, mediaId);
  // A read that began before the edit can have answered after it.
  if (isItemShown(siteId, mediaId)) void loadDetail();
  return true;
}

/** The stored title replaces one that the inspector has not saved. */
function dropUnsavedTitle(siteId: string, mediaId: string): void {
  const { title, ...others } = unsavedEdits(siteId, mediaId);
  if (title === undefined) return;
  if (isItemShown(siteId, mediaId) && useInspector.getState().values !== null) edit({ title: title.base });
  else storeEdits(siteId, mediaId, others);
}

/** Ends the edit of a title and begins that of the next row (1) or the previous one (-1); at the ends of the list, ends it only. */
export async function renameBeside(by: 1 | -1): Promise<void> {
  const { renamed } = useRename.getState();
  const place = renamed === null ? null : placeInOpenList(renamed.mediaId);
  endRename();
  if (renamed === null || place === null) return;
  const index = place.index + by;
  if (index < 0 || index >= place.total) return;
  if (mediaList.rowAt(index) === undefined) await mediaList.loadRange(index, index);
  const row = mediaList.rowAt(index);
  if (row === undefined) return;
  mediaList.select({ ids: new Set([row.id]), focus: index, anchor: index });
  mediaList.reveal(index);
  await startItemRename({ siteId: renamed.siteId, mediaId: row.id }, row.title);
}
