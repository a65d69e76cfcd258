import { create } from 'zustand';
import type { AppErrorData } from '../../../../shared/contract/app-error.ts';
import type { CallInput, CallOutput } from '../../../../shared/contract/contract.ts';
import { latestOnly } from '../../../kit/async/latest-only.ts';
import { call } from '../../../kit/bridge/bridge.ts';
import { NO_SELECTION } from '../../../kit/lists/selection.ts';
import { toErrorData } from '../../../kit/text/errors.ts';
import { attempt } from '../../common/state/messages-store.ts';
import { peopleList, useAdmin } from './admin-store.ts';

export type PersonDetail = CallOutput<'admin.person'>;

interface PersonState {
  /** The library of the shown user. */
  siteId: string | null;
  /** The user whose details are shown. */
  userId: string | null;
  detail: PersonDetail | null;
  error: AppErrorData | null;
}

const NOBODY: PersonState = { siteId: null, userId: null, detail: null, error: null };

export const usePerson = create<PersonState>(() => NOBODY);

const reads = latestOnly();

/** Shows no user, because another library is shown, or because the user was deleted. */
export function closePerson(): void {
  reads.cancel();
  usePerson.setState(NOBODY);
}

/** Shows the details of a user of the open library. They are read from the library again. */
export async function showPerson(userId: string): Promise<void> {
  const { siteId } = useAdmin.getState();
  if (siteId === null) return;
  const shown = usePerson.getState();
  if (userId !== shown.userId || siteId !== shown.siteId) {
    usePerson.setState({ siteId, userId, detail: null, error: null });
  }
  await loadPerson(siteId, userId);
}

/** Reads the shown user again, for example after a change of its groups. */
export function reloadPerson(): void {
  const { siteId, userId } = usePerson.getState();
  if (siteId !== null && userId !== null) void loadPerson(siteId, userId);
}

async function loadPerson(siteId: string, userId: string): Promise<void> {
  const read = reads.begin();
  try {
    const detail = await call('admin.person', { siteId, userId });
    if (read.isLatest()) usePerson.setState({ detail, error: null });
  } catch (thrown) {
    if (read.isLatest()) usePerson.setState({ error: toErrorData(thrown) });
  }
}

/** Changes the administrator flag or the unique id of the shown user. Resolves with false when the library refused it. */
export async function changePerson(change: { isAdmin?: boolean; uniqueId?: string }): Promise<boolean> {
  const { siteId, userId } = usePerson.getState();
  if (siteId === null || userId === null) return false;
  let isDone = false;
  await attempt(async () => {
    await call('admin.changePerson', { siteId, userId, ...change });
    isDone = true;
  });
  reloadPerson();
  return isDone;
}

/** Creates a user and shows it. Throws the error of the library. */
export async function createPerson(input: Omit<CallInput<'admin.createPerson'>, 'siteId'>): Promise<string> {
  const { siteId } = useAdmin.getState();
  if (siteId === null) throw new Error('No library is open');
  const person = await call('admin.createPerson', { siteId, ...input });
  void showPerson(person.id);
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
