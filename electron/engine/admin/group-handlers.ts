import type { GroupRow, TagRow } from '../../../shared/contract/admin/people.ts';
import { appError } from '../../../shared/contract/app-error.ts';
import { createGroup, deleteGroup, getGroup, renameGroup } from '../api/groups.ts';
import { countMedia } from '../api/media.ts';
import { createTag, deleteTags, getTag, listTags, renameTag } from '../api/tags.ts';
import type { Emitter } from '../common/emitter.ts';
import type { Handlers } from '../common/handlers.ts';
import { groupRows, membershipRows } from './admin-rows.ts';
import { asAdministrator } from './directories.ts';
import { type Directory, dropMemberships } from './directory.ts';
import { errorOfChangingGroup } from './guards.ts';
import { changeEach, orGiven, outcomeOf } from './outcome.ts';
import type { AdminTools } from './people-handlers.ts';

type GroupCall = `admin.${'groups' | 'createGroup' | 'renameGroup' | 'deleteGroups'}`;
type TagCall = `admin.${'tags' | 'tagUse' | 'createTag' | 'renameTag' | 'deleteTags'}`;

/** The calls about groups. */
export function groupHandlers({ directories, log }: AdminTools): Pick<Handlers, GroupCall> {
  const { clientFor } = directories;

  /** Stores a changed group and returns its row. The name is that of the library, if it can be read. */
  async function rowAfter(siteId: string, groupId: string, given: string): Promise<GroupRow> {
    const directory = await directories.of(siteId);
    const read = getGroup(clientFor(siteId), groupId).then(({ display_name }) => display_name);
    const name = await orGiven(read, given);
    directories.note(siteId, ({ groups }) => groups.set(groupId, { id: groupId, name, builtIn: null }));
    const row = groupRows(directory).find(({ id }) => id === groupId);
    return row ?? { id: groupId, name, builtIn: null, people: 0, memberships: 0 };
  }

  return {
    async 'admin.groups'({ siteId }) {
      return groupRows(await directories.of(siteId));
    },

    async 'admin.createGroup'({ siteId, name }) {
      const change = { action: 'createGroup', targetId: '', targetName: name, before: '', after: name };
      const { id } = await log.record(siteId, change, () =>
        asAdministrator(createGroup(clientFor(siteId), name.trim())),
      );
      return rowAfter(siteId, id, name.trim());
    },

    async 'admin.renameGroup'({ siteId, groupId, name }) {
      const directory = await directories.of(siteId);
      const refusal = errorOfChangingGroup(directory, groupId);
      if (refusal !== null) throw refusal;
      const before = directory.groups.get(groupId)?.name ?? '';
      const change = { action: 'renameGroup', targetId: groupId, targetName: before, before, after: name };
      await log.record(siteId, change, () => asAdministrator(renameGroup(clientFor(siteId), groupId, name.trim())));
      return rowAfter(siteId, groupId, name.trim());
    },

    async 'admin.deleteGroups'({ siteId, groupIds }) {
      const directory = await directories.of(siteId);
      const nameOf = (id: string) => directory.groups.get(id)?.name ?? '';
      await log.saveTable('deleted-groups', membersTable(directory, groupIds));
      const changed = await changeEach(groupIds, async (id) => {
        const refusal = errorOfChangingGroup(directory, id);
        if (refusal !== null) throw refusal;
        const members = [...directory.users.values()].filter(({ groupIds: own }) => own.includes(id));
        const change = {
          ...{ action: 'deleteGroup', targetId: id, targetName: nameOf(id) },
          ...{ before: members.map(({ email, name }) => email || name).join(', '), after: '' },
        };
        await log.record(siteId, change, () => asAdministrator(deleteGroup(clientFor(siteId), id)));
        directories.note(siteId, (known) => forgetGroup(known, id));
      });
      return outcomeOf(changed, nameOf);
    },
  };
}

/** The calls about tags, which are read from the library each time: other people add tags with every item. */
export function tagHandlers(
  { directories, log }: AdminTools,
  changes: Emitter<{ siteId: string }>,
): Pick<Handlers, TagCall> {
  const { clientFor } = directories;

  async function allTags(siteId: string): Promise<TagRow[]> {
    const tags: TagRow[] = [];
    for await (const { id, display_name: name } of listTags(clientFor(siteId), {})) tags.push({ id, name });
    return tags;
  }

  /** Throws `admin.tag-exists`. The API does not say what a second tag of the same name becomes. */
  async function checkName(siteId: string, name: string, ownId: string | null): Promise<void> {
    const wanted = name.trim().toLowerCase();
    const same = (await asAdministrator(allTags(siteId))).find((tag) => tag.name.toLowerCase() === wanted);
    if (same === undefined || same.id === ownId) return;
    const message = `The library already has the tag “${same.name}”.`;
    throw appError('admin.tag-exists', { message, details: { name: same.name } });
  }

  return {
    'admin.tags': ({ siteId }) => asAdministrator(allTags(siteId)),

    async 'admin.tagUse'({ siteId, names }) {
      const uses: { name: string; items: number }[] = [];
      for (const name of names) uses.push({ name, items: await countMedia(clientFor(siteId), { tag: name }) });
      return uses;
    },

    async 'admin.createTag'({ siteId, name }) {
      await checkName(siteId, name, null);
      const change = { action: 'createTag', targetId: '', targetName: name, before: '', after: name };
      const { id } = await log.record(siteId, change, () => asAdministrator(createTag(clientFor(siteId), name.trim())));
      changes.emit({ siteId });
      return { id, name: name.trim() };
    },

    async 'admin.renameTag'({ siteId, tagId, name }) {
      await checkName(siteId, name, tagId);
      const client = clientFor(siteId);
      const { display_name: before } = await asAdministrator(getTag(client, tagId));
      const change = { action: 'renameTag', targetId: tagId, targetName: before, before, after: name };
      await log.record(siteId, change, () => asAdministrator(renameTag(client, tagId, name.trim())));
      changes.emit({ siteId });
      const read = getTag(client, tagId).then(({ display_name }) => display_name);
      return { id: tagId, name: await orGiven(read, name.trim()) };
    },

    async 'admin.deleteTags'({ siteId, tagIds }) {
      const client = clientFor(siteId);
      const names = new Map((await asAdministrator(allTags(siteId))).map(({ id, name }) => [id, name]));
      const nameOf = (id: string) => names.get(id) ?? '';
      const changed = await changeEach(tagIds, async (id) => {
        const change = { action: 'deleteTag', targetId: id, targetName: nameOf(id), before: nameOf(id), after: '' };
        await log.record(siteId, change, () => asAdministrator(deleteTags(client, [id])));
      });
      changes.emit({ siteId });
      return outcomeOf(changed, nameOf);
    },
  };
}

/** Returns a table of groups with all that their deletion removes: their members, and their roles in collections. */
function membersTable(directory: Directory, groupIds: readonly string[]): string[][] {
  const ids = new Set(groupIds);
  const nameOf = (id: string) => directory.groups.get(id)?.name ?? '';
  const members = [...directory.users.values()].flatMap((user) =>
    user.groupIds.filter((id) => ids.has(id)).map((id) => [id, nameOf(id), 'member', user.email || user.name]),
  );
  const roles = membershipRows(directory, ({ subject: { kind, id } }) => kind === 'group' && ids.has(id)).map(
    ({ subject: { id }, path, roleName }) => [id, nameOf(id), 'role', `${path.join(' / ')}: ${roleName}`],
  );
  return [['group id', 'group', 'kind', 'member or role'], ...members, ...roles];
}

function forgetGroup(directory: Directory, groupId: string): void {
  directory.groups.delete(groupId);
  for (const user of directory.users.values()) user.groupIds = user.groupIds.filter((id) => id !== groupId);
  dropMemberships(directory, ({ subject: { kind, id } }) => kind === 'group' && id === groupId);
}
