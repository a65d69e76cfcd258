import { call } from '../../../kit/bridge/bridge.ts';
import { inspect } from '../../library/state/inspector-store.ts';
import { showAccount } from '../state/app-store.ts';
import { attempt } from '../state/messages-store.ts';
import { openCollection } from './commands.ts';

export interface ItemPlace {
  siteId: string;
  collectionId: string;
  mediaId: string;
}

/** Shows an item in the library view: its collection in the list, the item in the inspector. */
export function openItem({ siteId, collectionId, mediaId }: ItemPlace): void {
  if (!showAccount(siteId)) return;
  openCollection(collectionId);
  inspect(siteId, mediaId);
}

/** Opens the web page of an item in the browser. */
export function openItemPage({ siteId, mediaId }: Pick<ItemPlace, 'siteId' | 'mediaId'>): Promise<void> {
  return attempt(async () => {
    const { viewUrl } = await call('library.media', { siteId, mediaId });
    if (viewUrl !== null) await call('shell.openExternal', { url: viewUrl });
  });
}
