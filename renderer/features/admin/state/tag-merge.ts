import { create } from 'zustand';
import type { TagMergeOutcome } from '../../../../shared/contract/admin/admin-calls.ts';
import type { EventData } from '../../../../shared/contract/contract.ts';
import { MAX_MERGED_TAGS } from '../../../../shared/model/access/admin-limits.ts';
import { call } from '../../../kit/bridge/bridge.ts';
import { attempt, notify } from '../../common/state/messages-store.ts';
import { useAdmin } from './admin-store.ts';
import { deselectTags, type ListedTag } from './tag-list.ts';
import { texts } from './texts.ts';

interface TagMergeState {
  /** The merge that is running. `items` null: they are not listed yet. */
  progress: { siteId: string; done: number; items: number | null; isStopping: boolean } | null;
}

export const useTagMerge = create<TagMergeState>(() => ({ progress: null }));

/** Takes the progress that the engine reports. */
export function takeTagMergeProgress({ siteId, done, items }: EventData<'onDidProgressTagMerge'>): void {
  const { progress } = useTagMerge.getState();
  if (progress?.siteId === siteId) useTagMerge.setState({ progress: { ...progress, done, items } });
}

/** Whether one merge can't take this number of tags, of which one stays. */
export function isTooManyToMerge(count: number): boolean {
  return count > MAX_MERGED_TAGS + 1;
}

/**
 * Gives the items of `tags` the kept tag instead, and deletes those that no item has any more. A message reports when all of them are
 * gone. Throws the error of a merge that could not begin.
 */
export async function mergeTags(siteId: string, kept: ListedTag, tags: readonly ListedTag[]): Promise<TagMergeOutcome> {
  useTagMerge.setState({ progress: { siteId, done: 0, items: null, isStopping: false } });
  try {
    const tagIds = tags.flatMap(({ id }) => (id === kept.id ? [] : [id]));
    const outcome = await call('admin.mergeTags', { siteId, keptId: kept.id, tagIds });
    if (outcome.left.length === 0) {
      if (useAdmin.getState().siteId === siteId) deselectTags();
      notify(texts.tags.merged(outcome.deleted.length, kept.name, outcome.changed));
    }
    return outcome;
  } finally {
    useTagMerge.setState({ progress: null });
  }
}

/** Ends the running merge after the items that are being changed. */
export function stopTagMerge(): void {
  const { progress } = useTagMerge.getState();
  if (progress === null || progress.isStopping) return;
  useTagMerge.setState({ progress: { ...progress, isStopping: true } });
  void attempt(async () => void (await call('admin.stopJobs', { siteId: progress.siteId, kind: 'mergeTags' })));
}
