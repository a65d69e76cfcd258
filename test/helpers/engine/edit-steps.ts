// Steps of tests about the lane of edits: items, edits, and waiting for what becomes of them.
import type { BulkChange, EditFilter } from '../../../shared/contract/edits.ts';
import { requestsOf } from '../service/journal.ts';
import type { ServiceClient } from '../service/service-client.ts';
import type { ServiceProcess } from '../service/service-process.ts';
import type { Desk } from './desk.ts';

/** Creates an item in the collection of the desk; resolves with its id. */
export async function makeItem(client: ServiceClient, desk: Desk, title = 'Talk'): Promise<string> {
  const path = await client.createItem(title, { collection_id: desk.collectionId });
  return path.split('/').at(-1) ?? '';
}

/** Reads an item from the service. */
export async function itemOf(client: ServiceClient, id: string) {
  return (await client.get(`/api2/media/${id}`)).body;
}

/** Stores a change; `meanwhile` runs between the review and the edit. Returns the id of the group. */
export async function edit(
  { engine, siteId }: Desk,
  ids: readonly string[],
  change: BulkChange,
  meanwhile: () => Promise<unknown> = async () => {},
): Promise<string> {
  const plan = await engine.call('edits.plan', {
    selection: { siteId, ids: [...ids] },
    change,
    planId: null,
    offset: 0,
    limit: 0,
  });
  await meanwhile();
  const { group } = await engine.call('edits.apply', { planId: plan.planId, except: [], label: '' });
  return group?.id ?? '';
}

/** Stores changes of items while the library can't be changed; resolves when they wait. Returns the ids of their groups. */
export async function editDuringMaintenance(
  desk: Desk,
  ids: readonly string[],
  ...changes: readonly BulkChange[]
): Promise<string[]> {
  await desk.service.control('PATCH', '/settings', { read_only: true });
  const groupIds: string[] = [];
  for (const change of changes) groupIds.push(await edit(desk, ids, change));
  await desk.engine.whenEditsIdle();
  return groupIds;
}

/** The library can be changed again. */
export async function endMaintenance({ service }: Pick<Desk, 'service'>): Promise<void> {
  await service.control('PATCH', '/settings', { read_only: false });
}

/** The edits of a group (null: of all groups). */
export async function rowsOf({ engine }: Desk, groupId: string | null, filter: EditFilter = 'all') {
  const page = { groupId, filter, entityId: null, offset: 0, limit: 100 };
  return (await engine.call('edits.groupRows', page)).rows;
}

/** The change that sets the title. */
export const title = (value: string): BulkChange => ({ title: { kind: 'set', value } });

type Group = Awaited<ReturnType<typeof groupOf>>;
const groupOf = ({ engine }: Desk, groupId: string) => engine.call('edits.group', { groupId });

/** Resolves when a group satisfies a condition, which is checked with every change of edits. */
export async function whenGroup(desk: Desk, groupId: string, isMet: (group: Group) => boolean): Promise<void> {
  await whenEdits(desk, async () => isMet(await groupOf(desk, groupId)));
}

/** Resolves when the totals of all edits satisfy a condition. */
export async function whenTotals(desk: Desk, isMet: (totals: { pending: number }) => boolean): Promise<void> {
  await whenEdits(desk, async () => {
    const { totals } = await desk.engine.call('edits.groups', { siteId: null, isOpen: true, offset: 0, limit: 1 });
    return isMet(totals);
  });
}

/** Resolves when a condition is met, which is checked with every change of edits. */
export async function whenEdits({ engine }: Desk, isMet: () => Promise<boolean>): Promise<void> {
  while (!(await isMet())) {
    await new Promise<void>((resolve) => {
      const end = engine.on('onDidChangeEdits', () => {
        end();
        resolve();
      });
    });
  }
}

/** Resolves when the service has received so many of such requests; their answers may still be missing. */
export async function whenRequested(service: ServiceProcess, method: string, path: RegExp, times = 1): Promise<void> {
  while ((await requestsOf(service, method, path)).length < times) await new Promise(setImmediate);
}
