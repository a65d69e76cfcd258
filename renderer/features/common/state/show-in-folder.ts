import { call } from '../../../kit/bridge/bridge.ts';
import { attempt } from './messages-store.ts';

/** Shows a file in the file manager of the system. */
export function showInFolder(path: string): Promise<void> {
  return attempt(async () => void (await call('shell.showInFolder', { path })));
}
