import type { GroupRow, TagRow } from '../../../shared/contract/admin/people.ts';
import { appError } from '../../../shared/contract/app-error.ts';
import type { CallOutput } from '../../../shared/contract/contract.ts';
import { type FactMembership, pathTo } from '../../../shared/model/access/access-facts.ts';
import { createGroup, deleteGroup, getGroup, renameGroup } from '../api/groups.ts';
import { countMedia } from '../api/media.ts';
import { createTag, deleteTags, getTag, listTags, renameTag } from '../api/tags.ts';
import type { Emitter } from '../common/emitter.ts';
import type { Handlers } from '../common/handlers.ts';
import { groupRows } from './admin-rows.ts';
import { type GroupLook, lookAtGroup, lookAtTag } from './deletion-looks.ts';
import { asAdministrator } from './directories.ts';
import { type Directory, dropMemberships } from './directory.ts';
import { errorOfChangingGroup } from './guards.ts';
import { adminOutcomeOf, changeEach, orGiven, orNull } from './outcome.ts';
import type { AdminTools } from './people-handlers.ts';

type GroupCall = `admin.${'groups' | 'createGroup' | 'renameGroup' | 'deletionOfGroups' | 'deleteGroups'}`;
type TagCall = `admin.${'tags' | 'tagUse' | 'createTag' | 'renameTag' | 'deletionOfTags' | 'deleteTags'}`;

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

    async 'admin.deletionOfGroups'({ siteId, groupIds }) {
      const directory = await directories.of(siteId);
      const rows: CallOutput<'admin.deletionOfGroups'> = [];
      for (const id of new Set(groupIds)) {
        const refusal = errorOfChangingGroup(directory, id);
        if (refusal !== null) throw refusal;
        const { name, members, memberships, seen } = await lookAtGroup(clientFor(siteId), id);
        rows.push({ id, name, builtIn: null, people: members.size, memberships: memberships.length, seen });
      }
      return rows;
    },

    async 'admin.deleteGroups'({ siteId, groups }) {
      const directory = await directories.of(siteId);
      const client = clientFor(siteId);
      const seenOf = new Map(groups.map(({ id, seen }) => [id, seen]));
      const looks = new Map<string, GroupLook | null>();
      for (const id of seenOf.keys()) {
        if (errorOfChangingGroup(directory, id) === null) looks.set(id, await orNull(lookAtGroup(client, id)));
      }
      const nameOf = (id: string) => looks.get(id)?.name ?? directory.groups.get(id)?.name ?? '';
      await log.saveTable('deleted-groups', deletedTable(directory, looks));
      const changed = await changeEach(seenOf.keys(), async (id) => {
        const refusal = errorOfChangingGroup(directory, id);
        if (refusal !== null && refusal.code !== 'api.not-found') throw refusal;
        const look = await orNull(lookAtGroup(client, id));
        if (look !== null && look.seen !== seenOf.get(id)) {
          throw appError('admin.deletion-changed', { details: { groupId: id } });
        }
        const emailOf = (userId: string) => directory.users.get(userId)?.email || userId;
        const change = {
          action: 'deleteGroup',
          targetId: id,
          targetName: nameOf(id),
          before: [...(look?.members ?? [])].map(emailOf).join(', '),
          after: '',
        };
        if (look !== null) await log.record(siteId, change, () => asAdministrator(deleteGroup(client, id)));
        directories.note(siteId, (known) => forgetGroup(known, id));
      });
      return adminOutcomeOf(changed, nameOf);
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

    async 'admin.deletionOfTags'({ siteId, tagIds }) {
      const rows: CallOutput<'admin.deletionOfTags'> = [];
      for (const id of tagIds) {
        const look = await orNull(lookAtTag(clientFor(siteId), id));
        rows.push(look === null ? null : { id, ...look });
      }
      return rows;
    },

    async 'admin.deleteTags'({ siteId, tags }) {
      const client = clientFor(siteId);
      const names = new Map((await asAdministrator(allTags(siteId))).map(({ id, name }) => [id, name]));
      const nameOf = (id: string) => names.get(id) ?? '';
      const seenOf = new Map(tags.map(({ id, seen }) => [id, seen]));
      const changed = await changeEach(seenOf.keys(), async (id) => {
        const look = await orNull(lookAtTag(client, id));
        if (look === null) return;
        if (look.seen !== seenOf.get(id)) throw appError('admin.deletion-changed', { details: { tagId: id } });
        const before = look.items === null ? look.name : `${look.name}: ${look.items}`;
        const change = { action: 'deleteTag', targetId: id, targetName: look.name, before, after: '' };
        await log.record(siteId, change, () => asAdministrator(deleteTags(client, [id])));
      });
      changes.emit({ siteId });
      return adminOutcomeOf(changed, nameOf);
    },
  };
}

/** Returns a table of groups with all that their deletion removes: their members, and their roles in collections. */
function deletedTable(directory: Directory, looks: ReadonlyMap<string, GroupLook | null>): string[][] {
  const rows = [...looks].flatMap(([id, look]) => {
    if (look === null) return [];
    const memberOf = (userId: string) => {
      const user = directory.users.get(userId);
      return user?.email || user?.name || userId;
    };
    const placeOf = ({ collectionId, roleId }: FactMembership) =>
      `${pathTo(directory, collectionId).join(' / ')}: ${directory.roles.get(roleId)?.name ?? roleId}`;
    return [
      ...[...look.members].map((userId) => [id, look.name, 'member', memberOf(userId)]),
      ...look.memberships.map((membership) => [id, look.name, 'role', placeOf(membership)]),
    ];
  });
  return [['group id', 'group', 'kind', 'member or role'], ...rows];
}

function forgetGroup(directory: Directory, groupId: string): void {
  directory.groups.delete(groupId);
  for (const user of directory.users.values()) user.groupIds = user.groupIds.filter((id) => id !== groupId);
  dropMemberships(directory, ({ subject: { kind, id } }) => kind === 'group' && id === groupId);
}
