import type { SyncStatus } from '../../../../shared/contract/library-sync.ts';
import { noOperands } from '../../arguments/options.ts';
import { currentSite, type EngineContext } from '../../command-base/context.ts';
import { defineEngineCommand } from '../../command-base/define-engine-command.ts';
import { EXIT, type ExitCode } from '../../output/exit-codes.ts';
import { whenAborted } from '../../session/interruption.ts';

interface SyncInput {
  removesVanished: boolean;
}

/** A progress line is printed after each 5,000 items. */
const ITEMS_IN_A_LINE = 5000;

export const librarySyncCommand = defineEngineCommand<SyncInput>({
  name: 'library sync',
  operands: '',
  summary: 'Update the copy of the library on this computer.',
  options: {
    'remove-vanished': { value: null, help: 'Remove items from the copy that the library no longer has.' },
  },
  read(values, operands) {
    noOperands(operands);
    return { removesVanished: values['remove-vanished'] === true };
  },
  run: sync,
  interruptedText: 'Stopping. The next “mediadesk library sync” continues here.',
});

async function sync(context: EngineContext, { removesVanished }: SyncInput): Promise<ExitCode> {
  const { engine, output, interruption } = context;
  const { id: siteId } = await currentSite(context);
  let printed = 0;
  const stopShowing = engine.on('onDidChangeSync', (status) => {
    if (status.siteId !== siteId || status.phase !== 'first-sync') return;
    output.record({ sync: status });
    if (status.items - printed < ITEMS_IN_A_LINE) return;
    printed = status.items;
    output.note(status.total === null ? `${status.items} items.` : `${status.items} of ${status.total} items.`);
  });
  try {
    const done = engine.call('library.syncNow', { siteId, removesVanished });
    const status = await Promise.race([done, whenAborted(interruption.signal)]);
    if (!status) {
      // The stop of the engine rejects `done`; the exit code reports the interruption.
      done.catch(() => {});
      return interruption.exitCode() ?? EXIT.interrupted;
    }
    output.record({ sync: status });
    for (const line of linesOf(status)) output.line(line);
    return EXIT.complete;
  } finally {
    stopShowing();
  }
}

function linesOf({ items, vanished }: SyncStatus): string[] {
  const lines = [`The copy of the library is up to date: ${items === 1 ? '1 item' : `${items} items`}.`];
  if (vanished > 0) {
    const what = vanished === 1 ? '1 item is' : `${vanished} items are`;
    lines.push(`${what} no longer in the library. --remove-vanished removes them from the copy.`);
  }
  return lines;
}
