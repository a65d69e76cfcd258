import { create } from 'zustand';
import type { GroupRow } from '../../../../shared/contract/admin/people.ts';
import type { CallOutput } from '../../../../shared/contract/contract.ts';
import { namesakesIn } from '../../../../shared/model/access/namesakes.ts';
import { folded, hasWords } from '../../../../shared/model/library-query/searched-text.ts';
import { CallError, call } from '../../../kit/bridge/bridge.ts';
import { createWindowedList } from '../../../kit/lists/windowed-list.ts';
import { notify } from '../../common/state/messages-store.ts';
import { changeLibrary } from './change-library.ts';
import { texts } from './texts.ts';

/** The text in the search field of the groups. */
export const useGroupSearch = create<{ text: string }>(() => ({ text: '' }));

export interface ListedGroup extends GroupRow {
  /** Whether another group of the library has the same name. */
  isNamesake: boolean;
}

/** The groups whose names contain a text, the built-in ones first. */
export const groupList = createWindowedList<{ siteId: string; text: string }, ListedGroup>({
  async load({ siteId, text }, { offset, limit }) {
    const matches = hasWords(text);
    const all = await call('admin.groups', { siteId });
    const rows = all.filter(({ name }) => matches(folded(name)));
    const namesakes = namesakesIn(all);
    const page = rows.slice(offset, offset + limit).map((group) => ({ ...group, isNamesake: namesakes.has(group.id) }));
    return { total: rows.length, rows: page };
  },
  idOf: (group) => group.id,
});

/** Creates a group. Resolves with false when the library refused it. */
export function createGroup(name: string): Promise<boolean> {
  return changeLibrary(async (siteId) => {
    await call('admin.createGroup', { siteId, name });
    notify(texts.groups.created(name));
  });
}

/** Renames a group. Resolves with false when the library refused it. */
export function renameGroup(groupId: string, name: string): Promise<boolean> {
  return changeLibrary((siteId) => call('admin.renameGroup', { siteId, groupId, name }));
}

/**
 * Deletes a group: its members lose the membership, and the roles that it has in collections go with it. Throws the errors of the
 * library, and `admin.deletion-changed`.
 */
export async function deleteGroup(
  siteId: string,
  { id, name, seen }: CallOutput<'admin.deletionOfGroups'>[number],
): Promise<void> {
  const { failed } = await call('admin.deleteGroups', { siteId, groups: [{ id, seen }] });
  const [first] = failed;
  if (first !== undefined) throw new CallError(first.error);
  notify(texts.groups.deleted(name));
}
