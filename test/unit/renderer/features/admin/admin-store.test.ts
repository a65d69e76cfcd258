// How often the lists of the administration are loaded: once for each change, however it is reported.
import { afterEach, beforeEach, expect, it, vi } from 'vitest';
import {
  openAdministration,
  readDirectory,
  takeDirectoryChange,
  useAdmin,
} from '../../../../../renderer/features/admin/state/admin-store.ts';
import {
  isTooManyToMerge,
  mergeTags,
  stopTagMerge,
  takeTagMergeProgress,
  useTagMerge,
} from '../../../../../renderer/features/admin/state/tag-merge.ts';
import { useApp } from '../../../../../renderer/features/common/state/app-store.ts';
import { CALLS } from '../../../../../shared/contract/contract.ts';
import { HeldBridge } from '../../../../helpers/desktop/held-bridge.ts';

const FACTS = { people: 3, groups: 2, roles: 1, skipped: 0 };
const changes = () => useAdmin.getState().changes;

let bridge: HeldBridge;
beforeEach(() => {
  vi.useFakeTimers({ toFake: ['setTimeout', 'clearTimeout'] });
  bridge = new HeldBridge();
  useApp.setState({ siteId: 's' });
  useAdmin.setState({ siteId: null, facts: null });
  openAdministration();
});
afterEach(() => vi.useRealTimers());

/** Answers the first read, during which the engine reports it. */
async function open(): Promise<void> {
  takeDirectoryChange({ siteId: 's' });
  await bridge.take('admin.read').answer(FACTS);
}

it('the first read of the directory loads nothing again', async () => {
  const before = changes();
  await open();
  vi.runAllTimers();
  expect([changes() - before, bridge.waiting]).toEqual([0, []]);
});

it('several reports of one change are one load', async () => {
  await open();
  const before = changes();
  takeDirectoryChange({ siteId: 's' });
  takeDirectoryChange({ siteId: 's' });
  takeDirectoryChange({ siteId: 'another' });
  vi.runAllTimers();
  await bridge.take('admin.read').answer({ ...FACTS, people: 4 });
  expect([changes() - before, useAdmin.getState().facts?.people, bridge.waiting]).toEqual([1, 4, []]);
});

it('a later read loads the lists once, by its report', async () => {
  await open();
  const before = changes();
  void readDirectory(true);
  takeDirectoryChange({ siteId: 's' });
  await bridge.take('admin.read').answer(FACTS);
  vi.runAllTimers();
  await bridge.take('admin.read').answer(FACTS);
  expect([changes() - before, bridge.waiting]).toEqual([1, []]);
});

it('another library, and the same one afterwards, is another state for what loads by changes', () => {
  const seen = [changes()];
  for (const siteId of ['other', 's']) {
    useApp.setState({ siteId });
    openAdministration();
    seen.push(changes());
  }
  expect(new Set(seen).size).toBe(3);
});

it('a merge of tags shows its own progress until it ends, and is stopped once', async () => {
  await open();
  const tag = (id: string) => ({ id, name: `tag ${id}`, items: 1 });
  const merging = mergeTags('s', tag('1'), [tag('1'), tag('2')]);
  const { input, answer } = bridge.take('admin.mergeTags');
  expect(input).toEqual({ siteId: 's', keptId: '1', tagIds: ['2'] });
  takeTagMergeProgress({ siteId: 's', done: 2, items: 9 });
  takeTagMergeProgress({ siteId: 'another', done: 5, items: 5 });
  expect(useTagMerge.getState().progress).toMatchObject({ done: 2, items: 9, isStopping: false });
  stopTagMerge();
  stopTagMerge();
  expect(useTagMerge.getState().progress?.isStopping).toBe(true);
  await bridge.take('admin.stopJobs').answer(null);
  await answer({ changed: 2, failed: [], deleted: [], left: [] });
  await merging;
  expect([useTagMerge.getState().progress, bridge.waiting]).toEqual([null, []]);
});

it('as many tags can be chosen for a merge as one call takes, and the one that stays', () => {
  const accepts = (count: number) => {
    const tagIds = Array.from({ length: count - 1 }, (_, index) => String(index));
    return CALLS['admin.mergeTags'].input.safeParse({ siteId: 's', keptId: 'kept', tagIds }).success;
  };
  for (const count of [2, 1001, 1002]) expect(isTooManyToMerge(count), String(count)).toBe(!accepts(count));
});
