// Watched folders on the screen: events, answers that arrive late, and the announcements of the screen reader.
import { beforeEach, describe, expect, it } from 'vitest';
import { useMessages } from '../../../../../../renderer/features/common/state/messages-store.ts';
import {
  askToRemove,
  confirmRemoval,
  folderCommand,
  uploadAnyway,
} from '../../../../../../renderer/features/watched/state/watch-commands.ts';
import {
  attentionOfFolders,
  loadWatched,
  openFolder,
  takeWatch,
  useWatched,
} from '../../../../../../renderer/features/watched/state/watched-store.ts';
import type { WatchedFolder } from '../../../../../../shared/contract/watch.ts';
import { watchedFolder } from '../../../../../helpers/data/watched-folders.ts';
import { HeldBridge } from '../../../../../helpers/desktop/held-bridge.ts';

let bridge: HeldBridge;
const announced = () => useMessages.getState().announced?.sentence;
const take = (...folders: WatchedFolder[]) => takeWatch({ folders, folderIds: [] });

beforeEach(() => {
  bridge = new HeldBridge();
  useMessages.setState({ announced: null, messages: [] });
  useWatched.setState({ folders: null, error: null, folderId: null, filter: 'settling', isFolderOpen: false });
});

describe('the list of watched folders', () => {
  it('keeps an event when the answer of an earlier request arrives after it', async () => {
    const loading = loadWatched();
    take(watchedFolder({ state: 'paused' }));
    await bridge.take('watch.list').answer([watchedFolder({ state: 'watching' })]);
    await loading;
    expect(useWatched.getState().folders?.[0]?.state).toBe('paused');
  });

  it('shows why it could not be loaded, and recovers with the next event', async () => {
    const loading = loadWatched();
    await bridge.take('watch.list').refuse('internal');
    await loading;
    expect(useWatched.getState()).toMatchObject({ folders: null, error: { code: 'internal' } });
    take(watchedFolder());
    expect(useWatched.getState().error).toBeNull();
  });

  it('opens the first folder, and another one when the open folder was removed', () => {
    take(watchedFolder({ id: 'f1' }), watchedFolder({ id: 'f2' }));
    expect(useWatched.getState().folderId).toBe('f1');
    openFolder('f2');
    take(watchedFolder({ id: 'f1' }), watchedFolder({ id: 'f2' }));
    expect(useWatched.getState().folderId).toBe('f2');
    take(watchedFolder({ id: 'f1' }));
    expect(useWatched.getState().folderId).toBe('f1');
    take();
    expect(useWatched.getState().folderId).toBeNull();
  });

  it('opens a folder at the files that need attention, otherwise at settling files, otherwise at recent ones', () => {
    const open = (counts: Partial<WatchedFolder['counts']>) => {
      take(watchedFolder({ counts }));
      openFolder('f1');
      return useWatched.getState().filter;
    };
    expect(open({ incomplete: 1, settling: 1, done: 5 })).toBe('attention');
    expect(open({ waiting: 1, done: 5 })).toBe('settling');
    expect(open({ done: 5 })).toBe('recent');
    expect(open({})).toBe('settling');
  });
});

describe('announcements', () => {
  it('announce a change of state and new incomplete recordings, but nothing of the first list', () => {
    take(watchedFolder({ counts: { incomplete: 2 }, state: 'waiting-for-drive' }));
    expect(announced()).toBeUndefined();
    take(watchedFolder({ counts: { incomplete: 3 }, state: 'watching' }));
    expect(announced()).toBe(
      'Mediadesk watches Lectures. 1 recording in Lectures is incomplete and needs your decision.',
    );
  });

  it('exclude new files', () => {
    take(watchedFolder());
    take(watchedFolder({ counts: { settling: 40, queued: 3, done: 100 } }));
    expect(announced()).toBeUndefined();
  });
});

it('attentionOf counts incomplete recordings, and folders that need a decision or can’t be read', () => {
  expect(
    attentionOfFolders([
      watchedFolder({ counts: { incomplete: 2, settling: 9 } }),
      watchedFolder({ state: 'moved' }),
      watchedFolder({ state: 'unusable' }),
      watchedFolder({ state: 'waiting-for-drive' }),
    ]),
  ).toBe(4);
});

describe('commands', () => {
  it('show the folder that the engine returns', async () => {
    take(watchedFolder());
    const running = folderCommand('pause', watchedFolder());
    await bridge.take('watch.pause').answer(watchedFolder({ state: 'paused' }));
    await running;
    expect(useWatched.getState().folders?.[0]?.state).toBe('paused');
  });

  it('keep the folder in the list when it could not be removed', async () => {
    take(watchedFolder());
    askToRemove(watchedFolder());
    const removing = confirmRemoval();
    await bridge.take('watch.remove').refuse('internal');
    await removing;
    expect(useWatched.getState().folders).toHaveLength(1);
    expect(useMessages.getState().messages[0]).toMatchObject({ tone: 'bad' });
  });
});

describe('“Upload anyway”', () => {
  it('reports how many files were queued, and shows a warning when none was', async () => {
    for (const [changed, tone, text] of [
      [2, 'good', '2 files queued.'],
      [0, 'bad', 'The file changed meanwhile, so nothing was queued.'],
    ] as const) {
      const uploading = uploadAnyway(['1', '2', '3']);
      await bridge.take('watch.uploadAnyway').answer({ changed });
      await uploading;
      expect(useMessages.getState().messages.at(-1)).toMatchObject({ tone, text });
    }
  });
});
