import { onTestFinished } from 'vitest';
import { type Accounts, type AccountsOptions, createAccounts } from '../../../../electron/engine/account/accounts.ts';
import type { BrowserOpener } from '../../../../electron/engine/ports/browser-opener.ts';
import { createMemoryKeychain } from '../../../../electron/engine/ports/system/keychain-memory.ts';
import { nodeClock } from '../../../../electron/engine/ports/system/node-clock.ts';
import { nodeRandom } from '../../../../electron/engine/ports/system/node-random.ts';
import { captureLogger } from '../../../helpers/engine/capture-logger.ts';
import { DIRECT_BROWSER, directConnections } from '../../../helpers/engine/direct-network.ts';
import { recordsInMemory } from '../../../helpers/engine/site-records-in-memory.ts';

/**
 * Creates the accounts of a new profile; `over` replaces parts, for example with those of an earlier one. The accounts are
 * stopped at the end of the test.
 */
export function accountsInTest(opener: BrowserOpener, over: Partial<Omit<AccountsOptions, 'logger'>> = {}) {
  const parts = {
    records: recordsInMemory(),
    keychain: createMemoryKeychain(),
    clock: nodeClock,
    random: nodeRandom,
    logger: captureLogger(),
    openers: { embedded: opener, system: opener },
    userAgent: 'Mediadesk/test',
    connections: directConnections(),
    browserNetwork: DIRECT_BROWSER,
    ...over,
  };
  const accounts: Accounts = createAccounts(parts);
  onTestFinished(() => accounts.stop());
  return { accounts, ...parts };
}
