import type { EventData } from '../../shared/contract/contract.ts';
import { useApp } from '../stores/app/app-store.ts';
import { warn } from '../stores/app/messages-store.ts';
import { APP_COMMANDS } from './command-table.ts';
import { texts } from './texts.ts';

/** Runs a command of the application menu. */
export function runMenuCommand({ command: name }: EventData<'onDidMenuCommand'>): void {
  // All commands except “About” need a signed-in account.
  if (name !== 'about' && useApp.getState().siteId === null) {
    warn(texts.needsAccount, texts.needsAccountNext);
    return;
  }
  APP_COMMANDS.find(({ menu }) => menu === name)?.run();
}
