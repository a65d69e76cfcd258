import type { Ask, ShownPlace } from '../../shared/contract/desktop.ts';
import { openCollection, openItem } from '../features/common/commands/commands.ts';
import { mayOfferFiles } from '../features/common/state/add-rights-store.ts';
import { openSites, showAccount, showSettings, showView, useApp } from '../features/common/state/app-store.ts';
import { attempt, warn } from '../features/common/state/messages-store.ts';
import { closePlayer } from '../features/library/state/files/show-item.ts';
import { useTree } from '../features/library/state/tree-store.ts';
import { openAddSheet, useAdd } from '../features/uploads/state/add-store.ts';
import { showBatch } from '../features/uploads/state/load-uploads.ts';
import { openTab } from '../features/uploads/state/outline/outline-store.ts';
import { useDraft } from '../features/watched/state/folder-draft.ts';
import { call } from '../kit/bridge/bridge.ts';
import { texts } from './texts.ts';

/** Files that were opened with Mediadesk and wait: for an account, or for the end of an open sheet. */
let waiting: Extract<Ask, { kind: 'add' }>[] = [];

/** Handles what reached Mediadesk from outside of the window since the last time. */
export function takeAsks(): Promise<void> {
  return attempt(async () => {
    if (useApp.getState().start !== 'ready') return;
    for (const ask of await call('shell.takeAsks', null)) {
      if (ask.kind === 'show') show(ask.place);
      else if (ask.kind === 'open') await open(ask);
      else if (ask.kind === 'bad-link') warn(texts.links.unreadable, texts.links.askForLink);
      else waiting = [...waiting, ask];
    }
    await offerWaiting();
  });
}

/** Offers the next files that wait, if the window can: call after an account was opened or a sheet was closed. */
export async function offerWaiting(): Promise<void> {
  const { siteId } = useApp.getState();
  const [next] = waiting;
  if (next === undefined || siteId === null || isSheetOpen()) return;
  waiting = waiting.slice(1);
  const { selectedId } = useTree.getState();
  if (await mayOfferFiles(siteId, selectedId)) openAddSheet(siteId, selectedId, next.paths);
}

/** Only one sheet can be open: the user has to finish the open one first. */
export function isSheetOpen(): boolean {
  return useAdd.getState().paths !== null || useDraft.getState().draft !== null;
}

function show({ view, batchId, tab }: ShownPlace): void {
  if (view === 'accounts') {
    showSettings('accounts');
    return;
  }
  showView(view);
  if (view !== 'uploads') return;
  if (tab === 'all' && batchId !== null) showBatch(batchId);
  else openTab(tab);
}

/** Shows the item or the collection of a link, if an account of this library is signed in. */
async function open({ baseUrl, target, id }: Extract<Ask, { kind: 'open' }>): Promise<void> {
  const { sites, siteId: shown } = useApp.getState();
  const open = openSites(sites).filter((site) => new URL(site.baseUrl).origin === baseUrl);
  const site = open.find((each) => each.id === shown) ?? open[0];
  if (site === undefined) {
    warn(texts.links.notSignedIn(new URL(baseUrl).host), texts.links.signInFirst);
    return;
  }
  const siteId = site.id;
  // The player would stay in front of what the link shows.
  closePlayer();
  if (target === 'item') {
    const { item } = await call('library.media', { siteId, mediaId: id });
    openItem({ siteId, collectionId: item.collection_id, mediaId: id });
    return;
  }
  await call('library.collection', { siteId, collectionId: id });
  if (showAccount(siteId)) openCollection(id);
}
