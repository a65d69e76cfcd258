// The rights to the selected items, which all commands of a menu read from the loaded rows of the list.
import { beforeEach, expect, it, vi } from 'vitest';
import { useMessages } from '../../../../../../../renderer/features/common/state/messages-store.ts';
import {
  ITEM_COMMANDS,
  refusalOfCommand,
} from '../../../../../../../renderer/features/library/commands/item-commands.ts';
import { mediaList } from '../../../../../../../renderer/features/library/state/media-store.ts';
import {
  endRename,
  startItemRename,
  useRename,
} from '../../../../../../../renderer/features/library/state/rename-store.ts';
import { selectedTarget } from '../../../../../../../renderer/features/library/state/selection/media-selection.ts';
import {
  loadRightsTo,
  runIfAllowed,
} from '../../../../../../../renderer/features/library/state/selection/rights-store.ts';
import { appError } from '../../../../../../../shared/contract/app-error.ts';
import type { CallOutput } from '../../../../../../../shared/contract/contract.ts';
import { HeldBridge } from '../../../../../../helpers/desktop/held-bridge.ts';

type Page = CallOutput<'library.mediaWindow'>;
const row = (id: string, collectionId: string) =>
  ({ id, title: id, collectionId, createdOn: null, status: 'draft' }) as Page['rows'][number];

let bridge: HeldBridge;
beforeEach(async () => {
  bridge = new HeldBridge();
  mediaList.open({ siteId: 's', collectionId: null } as never);
  const rows = [row('a', 'c'), row('b', 'd')];
  await bridge.take('library.mediaWindow').answer({ total: 2, rows } as Page);
});

const select = (...ids: string[]) => mediaList.select({ ids: new Set(ids), focus: 0, anchor: 0 });
const refusals = () => Object.values(ITEM_COMMANDS).map((command) => refusalOfCommand(command, selectedTarget())?.code);

it('the rights are computed once for all commands, and again after the selection or the rows change', async () => {
  const loaded = vi.spyOn(mediaList, 'loaded');
  const walks = (work: () => unknown) => {
    loaded.mockClear();
    work();
    return loaded.mock.calls.length;
  };
  select('a', 'b');
  expect(walks(() => [refusals(), refusals()])).toBe(1);
  select('b', 'a');
  expect(walks(refusals)).toBe(1);
  mediaList.patch((each) => ({ ...each, collectionId: 'e' }));
  expect(walks(refusals)).toBe(1);
});

it('a missing right disables commands for the items that were checked, and no command after the rows change', async () => {
  select('a', 'b');
  const target = selectedTarget();
  if (target === null) throw new Error('Nothing is selected.');
  const loading = loadRightsTo(target);
  const { input, answer } = bridge.take('library.rightsOf');
  if (!('items' in input)) throw new Error('The rows are loaded.');
  expect(input.items.map(({ collectionId }) => collectionId)).toEqual(['c', 'd']);
  await answer({ edit: null, publish: appError('api.forbidden').toData(), delete: null } as never);
  await loading;
  expect(refusals().filter((code) => code === 'api.forbidden')).toHaveLength(3);
  mediaList.patch((each) => ({ ...each, collectionId: 'e' }));
  expect(refusals().filter((code) => code !== undefined)).toEqual([]);
});

it('“Select all” with rows that are not loaded asks for the rights to the selection', async () => {
  mediaList.open({ siteId: 's', collectionId: null } as never);
  await bridge.take('library.mediaWindow').answer({ total: 310, rows: [row('a', 'c')] } as Page);
  mediaList.select({ ids: new Set(), except: new Set(), focus: 0, anchor: 0 } as never);
  const target = selectedTarget();
  if (target === null) throw new Error('Nothing is selected.');
  const loading = loadRightsTo(target);
  const { input, answer } = bridge.take('library.rightsOf');
  expect(input).toMatchObject({ selection: { query: { siteId: 's' }, except: [] } });
  await answer({ edit: appError('edit.needs-update').toData(), publish: null, delete: null } as never);
  await loading;
  expect(refusalOfCommand(ITEM_COMMANDS.fields, target)).toMatchObject({ code: 'edit.needs-update' });
});

it('a command that is used before the rights are known waits for them, and is refused', async () => {
  mediaList.open({ siteId: 's', collectionId: null } as never);
  await bridge.take('library.mediaWindow').answer({ total: 1, rows: [row('z', 'unasked')] } as Page);
  select('z');
  const target = selectedTarget();
  if (target === null) throw new Error('Nothing is selected.');
  const run = vi.fn();
  const running = runIfAllowed(target, 'edit', run);
  await bridge.take('library.rightsOf').answer({ edit: appError('edit.needs-update').toData() } as never);
  await running;
  expect(run).not.toHaveBeenCalled();
  expect(useMessages.getState().messages.at(-1)).toMatchObject({ tone: 'bad' });
});

it('a title is edited before the rights are known, and no longer when the account turns out to lack them', async () => {
  const renamed = () => useRename.getState().renamed?.mediaId ?? null;
  const start = (siteId: string) => startItemRename({ siteId, mediaId: 'a' }, 'a');
  const [refused, slow] = [start('refused'), bridge.take('library.rightsOf')];
  expect(renamed()).toBe('a');
  await slow.answer({ edit: appError('api.forbidden').toData(), publish: null, delete: null } as never);
  await refused;
  expect(useRename.getState().renamed).toMatchObject({ isRefused: true });
  endRename();
  expect(useMessages.getState().messages.at(-1)?.text).toBe(appError('api.forbidden').message);
  // Known by now, so nothing is edited.
  await start('refused');
  expect(renamed()).toBeNull();
  const [failed, offline] = [start('offline'), bridge.take('library.rightsOf')];
  await offline.refuse('network.unreachable');
  await failed;
  expect(renamed()).toBe('a');
});
