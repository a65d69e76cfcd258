import { call } from '../../../kit/bridge/bridge.ts';
import { showView, useApp } from '../../common/state/app-store.ts';
import { attempt } from '../../common/state/messages-store.ts';
import { pathOf, useTree } from '../../library/state/tree-store.ts';
import { openAddFolder } from './folder-draft.ts';

/** Lets the user pick a folder, then opens the sheet in which it is added to the watched folders. */
export function pickWatchedFolder(): Promise<void> {
  return attempt(async () => {
    const [path] = await call('shell.pickFolder', null);
    if (path !== undefined) addWatchedFolder(path);
  });
}

/** Opens the sheet for a new watched folder, with the open collection as its target. */
export function addWatchedFolder(path: string): void {
  const { siteId } = useApp.getState();
  if (siteId === null) return;
  const { rows, selectedId } = useTree.getState();
  const collection = selectedId === null ? undefined : pathOf(rows, selectedId).at(-1);
  showView('watched');
  openAddFolder(
    path,
    siteId,
    collection === undefined ? null : { kind: 'id', id: collection.id, name: collection.displayName },
  );
}
