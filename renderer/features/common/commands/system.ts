import { call } from '../../../kit/bridge/bridge.ts';
import { copyText } from '../../../kit/bridge/files-and-clipboard.ts';
import { attempt } from '../state/messages-store.ts';

/** Opens a web page in the browser. */
export function openWebPage(url: string): Promise<void> {
  return attempt(async () => void (await call('shell.openExternal', { url })));
}

/** Shows a file or folder of this computer in its file manager. */
export function showInFolder(path: string): Promise<void> {
  return attempt(async () => void (await call('shell.showInFolder', { path })));
}

/** Copies text to the clipboard. */
export function copy(text: string): Promise<void> {
  return attempt(async () => copyText(text));
}
