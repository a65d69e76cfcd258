import type { EventData } from '../../../shared/contract/contract.ts';
import { texts } from '../../features/common/commands/texts.ts';
import { useApp } from '../../features/common/state/app-store.ts';
import { warn } from '../../features/common/state/messages-store.ts';
import { APP_COMMANDS } from './command-table.ts';

/** Runs a command of the application menu. */
export function runMenuCommand({ command: name }: EventData<'onDidMenuCommand'>): void {
  // All commands except “About” need a signed-in account.
  if (name !== 'about' && useApp.getState().siteId === null) {
    warn(texts.needsAccount, texts.needsAccountNext);
    return;
  }
  APP_COMMANDS.find(({ menu }) => menu === name)?.run();
}
