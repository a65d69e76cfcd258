import { onTestFinished } from 'vitest';
import type { Accounts } from '../../../electron/engine/account/accounts.ts';
import { EDIT_COMMAND_LANE } from '../../../electron/engine/edits/commands/bulk-edits.ts';
import { createEdits, type Edits } from '../../../electron/engine/edits/edits.ts';
import { EDIT_LANE } from '../../../electron/engine/edits/replay/edit-jobs.ts';
import type { Clock } from '../../../electron/engine/ports/clock.ts';
import { silentLogger } from '../../../electron/engine/ports/logger.ts';
import { nodeRandom } from '../../../electron/engine/ports/system/node-random.ts';
import { Scheduler } from '../../../electron/engine/scheduler/scheduler.ts';
import { SiteBreakers } from '../../../electron/engine/sites/site-breakers.ts';
import { emptyDatabase } from '../data/empty-database.ts';
import { noMirrors } from './no-mirrors.ts';

/** Opens a journal of edits in memory, with its own scheduler; ends with the test. */
export async function editsInTest(accounts: Pick<Accounts, 'clientFor'>, clock: Clock): Promise<Edits> {
  const database = await emptyDatabase();
  const scheduler = new Scheduler({ clock, logger: silentLogger });
  const edits = createEdits({
    database,
    clock,
    random: nodeRandom,
    logger: silentLogger,
    breakers: new SiteBreakers(clock),
    mirrors: noMirrors.mirrors,
    clientFor: accounts.clientFor,
    probe: async () => {},
    userIdOf: () => null,
    itemsOf: () => {
      throw new Error('this test reads no list');
    },
    uploads: { ownsMedia: () => false, openCreations: () => [] },
    scheduler,
    startLane: () => scheduler.startOnly([EDIT_LANE, EDIT_COMMAND_LANE]),
    onChanged: () => {},
    onCollectionRead: () => {},
  });
  onTestFinished(async () => {
    edits.stop();
    await scheduler.stop();
    database.close();
  });
  return edits;
}
