import { call } from '../../../kit/bridge/bridge.ts';
import { chooseFilesWithPaths, copyText } from '../../../kit/bridge/files-and-clipboard.ts';
import { inspect } from '../../library/state/inspector-store.ts';
import { pickImport } from '../../library/state/manifest/import-store.ts';
import { signOut } from '../../library/state/sign-out-store.ts';
import { selectCollection, useTree } from '../../library/state/tree-store.ts';
import { openAddSheet } from '../../uploads/state/add-store.ts';
import { takeFiles } from '../../uploads/state/local-sound.ts';
import { mayOfferFiles } from '../state/add-rights-store.ts';
import { showAccount, showView, useApp } from '../state/app-store.ts';
import { closeDrawer } from '../state/layout-store.ts';
import { attempt } from '../state/messages-store.ts';

/** Lets the user pick files or a folder, then opens the sheet that adds them to the queue. */
export function pick(kind: 'files' | 'folder'): Promise<void> {
  return attempt(async () => {
    const { siteId } = useApp.getState();
    const collectionId = useTree.getState().selectedId;
    if (siteId === null || !(await mayOfferFiles(siteId, collectionId))) return;
    // The picker of the page opens after a press in the page only, not after a command of the application menu. The page can read the
    // files that it returns, for their waveforms.
    const chosen = kind === 'files' && navigator.userActivation.isActive ? await chooseFilesWithPaths() : null;
    const paths =
      chosen?.map(({ path }) => path) ?? (await call(kind === 'files' ? 'shell.pickFiles' : 'shell.pickFolder', null));
    if (paths.length === 0) return;
    openAddSheet(siteId, useTree.getState().selectedId, paths);
    if (chosen !== null) takeFiles(chosen);
  });
}

/** Opens a collection in the library view; null opens all media. */
export function openCollection(id: string | null): void {
  closeDrawer();
  selectCollection(id);
  showView('library');
}

export { signOut };

export interface CommandPlace {
  siteId: string;
  collectionId: string;
  mediaId: string;
}

/** Shows an item in the library view: its collection in the list, the item in the inspector. */
export function openItem({ siteId, collectionId, mediaId }: CommandPlace): void {
  if (!showAccount(siteId)) return;
  openCollection(collectionId);
  inspect(siteId, mediaId);
}

/** Opens the web page of an item in the browser. */
export function openItemPage({ siteId, mediaId }: Pick<CommandPlace, 'siteId' | 'mediaId'>): Promise<void> {
  return attempt(async () => {
    const { viewUrl } = await call('library.media', { siteId, mediaId });
    if (viewUrl !== null) await call('shell.openExternal', { url: viewUrl });
  });
}

/** Opens a web page in the browser. */
export function openWebPage(url: string): Promise<void> {
  return attempt(async () => void (await call('shell.openExternal', { url })));
}

/** Copies text to the clipboard. */
export function copyToClipboard(text: string): Promise<void> {
  return attempt(async () => copyText(text));
}

/** Lets the user choose a spreadsheet, and opens its import in the library view. */
export function importSpreadsheet(): void {
  const { siteId } = useApp.getState();
  if (siteId === null) return;
  showView('library');
  void pickImport(siteId);
}
