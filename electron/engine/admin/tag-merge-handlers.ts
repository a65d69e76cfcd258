import { z } from 'zod';
import type { MediaItem } from '../../../shared/api/media.ts';
import type { TagMergeOutcome } from '../../../shared/contract/admin/admin-calls.ts';
import { type TagRow, tagRowSchema } from '../../../shared/contract/admin/people.ts';
import { appError } from '../../../shared/contract/app-error.ts';
import type { EventData } from '../../../shared/contract/contract.ts';
import type { SiteClient } from '../api/http-client.ts';
import { countMedia } from '../api/media.ts';
import { listTags } from '../api/tags.ts';
import type { Emitter } from '../common/emitter.ts';
import type { Handlers } from '../common/handlers.ts';
import { asAdministrator } from './directories.ts';
import type { AdminJobDefinition, AdminJobs } from './jobs/admin-jobs.ts';
import { changeEach } from './outcome.ts';
import type { AdminTools } from './people-handlers.ts';
import { mergeTag, type TagMerge } from './tag-merge.ts';

export interface TagMergeOptions {
  progress: Emitter<EventData<'onDidProgressTagMerge'>>;
  /** Called before an item is read; the returned function stores what was read. */
  beginRead(siteId: string): (item: MediaItem) => void;
}

type Merged = Pick<TagMergeOutcome, 'changed' | 'failed' | 'left'>;

/** The calls that merge tags. */
export function tagMergeHandlers(
  { directories, log, jobs }: AdminTools & { jobs: AdminJobs },
  changes: Emitter<{ siteId: string }>,
  { progress, beginRead }: TagMergeOptions,
): Pick<Handlers, 'admin.mergeTags'> {
  /** A merge of tags. Its steps are the tags that are replaced, with the names that were confirmed. */
  const merging: AdminJobDefinition<TagRow, { keptId: string }, Merged> = {
    kind: 'mergeTags',
    step: tagRowSchema,
    note: z.object({ keptId: z.string() }),
    nameOf: (tag) => tag,
    savedAs: () => '',
    async open({ siteId, note: { keptId }, steps: others, signal }) {
      const client = directories.clientFor(siteId);
      const tags = await asAdministrator(tagsById(client));
      const kept = tags.get(keptId);
      if (kept === undefined) throw appError('api.not-found', { details: { tagId: keptId } });
      const merge: TagMerge = {
        client,
        keptId,
        kept: kept.name,
        formerly: new Set(),
        others: new Set(others.map(({ name }) => name)),
        stop: signal,
        changed: new Set(),
        failed: new Map(),
        beginRead: () => beginRead(siteId),
        ...(await counterOf(client, others, (done, items) => progress.emit({ siteId, done, items }))),
      };
      const mergeOne = async (tag: TagRow) => {
        if (signal.aborted) throw appError('admin.stopped');
        const { id: targetId, name } = tag;
        const change = { action: 'mergeTag', targetId, targetName: name, before: name, after: merge.kept };
        await log.record(siteId, change, () => mergeTag(merge, tag));
      };
      return {
        run: mergeOne,
        async end() {
          const revived = merge.formerly.size > 0 ? await changeEach(await revivedTags(merge, tags), mergeOne) : null;
          changes.emit({ siteId });
          const left = revived?.failed.map(({ entry: { id, name }, error }) => ({ id, name, error })) ?? [];
          return { changed: merge.changed.size, failed: [...merge.failed.values()], left };
        },
      };
    },
  };
  jobs.register(merging);

  return {
    async 'admin.mergeTags'({ siteId, keptId, tagIds }) {
      const tags = await asAdministrator(tagsById(directories.clientFor(siteId)));
      const subject = tags.get(keptId)?.name;
      if (subject === undefined) throw appError('api.not-found', { details: { tagId: keptId } });
      const wanted = [...new Set(tagIds)].filter((id) => id !== keptId);
      const steps = wanted.flatMap((id) => tags.get(id) ?? []);
      const { failed, result } = await jobs.start(siteId, merging, { subject, note: { keptId }, steps });
      const left = [...failed.map(({ step: { id, name }, error }) => ({ id, name, error })), ...result.left];
      // What another administrator deleted in the meantime is deleted.
      return { ...result, left, deleted: wanted.filter((id) => !left.some((tag) => tag.id === id)) };
    },
  };
}

/**
 * Returns the tags that items got under an earlier name of the kept tag, in the moment between the look at its name and the request. They
 * are merged into it as well. `before`: the tags at the beginning of the merge.
 */
async function revivedTags(merge: TagMerge, before: ReadonlyMap<string, TagRow>): Promise<TagRow[]> {
  const now = await asAdministrator(tagsById(merge.client));
  const revived = [...now.values()].filter(({ id, name }) => !before.has(id) && merge.formerly.has(name));
  for (const { name } of revived) merge.others.add(name);
  return revived;
}

async function tagsById(client: SiteClient): Promise<Map<string, TagRow>> {
  const tags = new Map<string, TagRow>();
  for await (const { id, display_name: name } of listTags(client, {})) tags.set(id, { id, name });
  return tags;
}

/**
 * Returns a counter of the items of a merge. An item with several of the tags is counted once: the total is corrected when the items of
 * the next tag are listed.
 */
async function counterOf(
  client: SiteClient,
  tags: readonly TagRow[],
  report: (done: number, items: number) => void,
): Promise<Pick<TagMerge, 'onListed' | 'onItem'>> {
  const uses = new Map<string, number>();
  for (const { id, name } of tags) uses.set(id, await countMedia(client, { tag: name }));
  let done = 0;
  let items = 0;
  return {
    onListed({ id }, listed) {
      uses.delete(id);
      items = [...uses.values()].reduce((sum, each) => sum + each, done + listed);
      report(done, items);
    },
    onItem() {
      done += 1;
      report(done, Math.max(done, items));
    },
  };
}
