import { create } from 'zustand';
import type { DirectoryFacts } from '../../../../shared/contract/admin/admin-calls.ts';
import type { PeopleQuery, Person } from '../../../../shared/contract/admin/people.ts';
import type { AppErrorData } from '../../../../shared/contract/app-error.ts';
import type { EventData } from '../../../../shared/contract/contract.ts';
import type { PeopleFacet, PeopleSort } from '../../../../shared/model/access/people-lists.ts';
import { delayed } from '../../../kit/async/delayed.ts';
import { latestOnly } from '../../../kit/async/latest-only.ts';
import { call } from '../../../kit/bridge/bridge.ts';
import { createWindowedList } from '../../../kit/lists/windowed-list.ts';
import { toErrorData } from '../../../kit/text/errors.ts';
import { useApp } from '../../common/state/app-store.ts';

export const ADMIN_TABS = ['people', 'groups', 'roles', 'tags', 'log'] as const;
export type AdminTab = (typeof ADMIN_TABS)[number];

interface AdminState {
  tab: AdminTab;
  /** The library that the view shows; null while it is closed. */
  siteId: string | null;
  /** The directory of that library; null until it is read. */
  facts: DirectoryFacts | null;
  /** Why the directory could not be read. */
  error: AppErrorData | null;
  isReading: boolean;
  text: string;
  facet: PeopleFacet;
  groupId: string | null;
  sort: PeopleSort;
  descending: boolean;
  /** When the view of this library was opened, in epoch milliseconds. */
  openedAt: number;
  /** Increases when users, groups, roles or tags changed: lists are loaded again. */
  changes: number;
}

const START: Omit<AdminState, 'tab'> = {
  siteId: null,
  facts: null,
  error: null,
  isReading: false,
  text: '',
  facet: 'all',
  groupId: null,
  sort: 'name',
  descending: false,
  changes: 0,
  openedAt: 0,
};

/** The state of the administration of one library. */
export const useAdmin = create<AdminState>(() => ({ tab: 'people', ...START }));

/** The users that match the filters of the view. */
export const peopleList = createWindowedList<PeopleQuery, Person>({
  load: (query, window) => call('admin.people', { query, ...window }),
  idOf: (person) => person.id,
});

const reads = latestOnly();
const counts = latestOnly();

/** Opens the administration of the shown library: reads its users, groups and roles when they are older than some minutes. */
export function openAdministration(): void {
  const { siteId } = useApp.getState();
  if (siteId !== useAdmin.getState().siteId) {
    reads.cancel();
    counts.cancel();
    useAdmin.setState(({ changes }) => ({ ...START, siteId, changes: changes + 1, openedAt: Date.now() }));
    peopleList.open(null);
  }
  if (siteId !== null) void readDirectory();
}

/**
 * Reads the directory of the shown library. `isFresh`: now, even if it was read a moment ago. Lists are loaded again by the event that
 * follows each reading.
 */
export async function readDirectory(isFresh = false): Promise<void> {
  const { siteId } = useAdmin.getState();
  if (siteId === null) return;
  const read = reads.begin();
  useAdmin.setState({ isReading: true, error: null });
  try {
    const facts = await call('admin.read', { siteId, isFresh });
    if (read.isLatest()) useAdmin.setState({ facts, isReading: false });
  } catch (thrown) {
    if (read.isLatest()) useAdmin.setState({ error: toErrorData(thrown), isReading: false });
  }
}

/** The minimum time between two refreshes after changes. */
const REFRESH_MS = 300;
const refresh = delayed(() => {
  useAdmin.setState(({ changes }) => ({ changes: changes + 1 }));
  void countAgain();
}, REFRESH_MS);

/** Handles an event of the engine: users, groups, roles, memberships or tags changed. */
export function takeDirectoryChange({ siteId }: EventData<'onDidChangeDirectory'>): void {
  const { siteId: shown, facts } = useAdmin.getState();
  // Until the directory is read for the first time there is no list.
  if (siteId === shown && facts !== null) refresh.schedule();
}

async function countAgain(): Promise<void> {
  const { siteId, facts } = useAdmin.getState();
  if (siteId === null || facts === null) return;
  const read = counts.begin();
  try {
    const now = await call('admin.read', { siteId });
    if (read.isLatest()) useAdmin.setState({ facts: now, error: null });
  } catch (thrown) {
    if (read.isLatest()) useAdmin.setState({ error: toErrorData(thrown) });
  }
}

export function showAdminTab(tab: AdminTab): void {
  useAdmin.setState({ tab });
}

/** Changes the filters or the order of the list of users. */
export function filterPeople(
  change: Partial<Pick<AdminState, 'text' | 'facet' | 'groupId' | 'sort' | 'descending'>>,
): void {
  useAdmin.setState(change);
}
