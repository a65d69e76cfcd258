import { create } from 'zustand';
import type { CallInput } from '../../../../shared/contract/contract.ts';
import { call } from '../../../kit/bridge/bridge.ts';
import { NO_SELECTION } from '../../../kit/lists/selection.ts';
import { filterPeople, peopleList, showAdminTab, useAdmin } from './admin-store.ts';
import { changeLibrary } from './change-library.ts';

/** The user of the shown library whose details are shown. */
export const usePerson = create<{ userId: string | null }>(() => ({ userId: null }));

/** Shows no user, because another library is shown, or because the user was deleted. */
export function closePerson(): void {
  usePerson.setState({ userId: null });
}

export function showPerson(userId: string): void {
  usePerson.setState({ userId });
}

/** Narrows the list of users. The details of a user whom the new list may lack are closed. */
export function narrowPeople(filters: Parameters<typeof filterPeople>[0]): void {
  filterPeople(filters);
  closePerson();
}

/** Lists the users of a group. */
export function showPeopleOf(groupId: string): void {
  showAdminTab('people');
  narrowPeople({ facet: 'all', text: '', groupId });
}

/** Changes the administrator flag or the unique id of a user. Resolves with false when the library refused it. */
export function changePerson(userId: string, change: { isAdmin?: boolean; uniqueId?: string }): Promise<boolean> {
  return changeLibrary((siteId) => call('admin.changePerson', { siteId, userId, ...change }));
}

/** Creates a user and shows it, in a list that does not hide it. Throws the error of the library. */
export async function createPerson(input: Omit<CallInput<'admin.createPerson'>, 'siteId'>): Promise<string> {
  const { siteId } = useAdmin.getState();
  if (siteId === null) throw new Error('No library is open');
  const person = await call('admin.createPerson', { siteId, ...input });
  if (useAdmin.getState().siteId === siteId) {
    filterPeople({ facet: 'all', text: '', groupId: null });
    showPerson(person.id);
  }
  return person.name;
}

/** Returns the ids of the selected users; of a selection of all, also those of rows that are not loaded. */
export async function selectedPeople(): Promise<string[]> {
  const { selection, query } = peopleList.useList.getState();
  const { ids, except } = selection;
  if (except === undefined || query === null) return [...ids];
  const all = await call('admin.peopleIds', { query });
  return all.ids.filter((id) => !except.has(id));
}

export function deselectPeople(): void {
  peopleList.select(NO_SELECTION);
}
