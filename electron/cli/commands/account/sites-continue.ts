import { noOperands } from '../../arguments/options.ts';
import { currentSite, type EngineContext } from '../../command-base/context.ts';
import { defineEngineCommand } from '../../command-base/define-engine-command.ts';
import { EXIT, type ExitCode } from '../../output/exit-codes.ts';

/** Continues with a library that was restored from a backup. Sends nothing itself. */
export const sitesContinueCommand = defineEngineCommand({
  name: 'sites continue',
  operands: '',
  summary: 'Use a library again that was restored from a backup.',
  options: {},
  read: (_values, operands) => noOperands(operands),
  run: continueWithSite,
});

async function continueWithSite(context: EngineContext): Promise<ExitCode> {
  const { engine, output } = context;
  const site = await currentSite(context);
  const continued = await engine.call('sites.continueRestored', { siteId: site.id });
  output.record({ continued: { siteId: site.id, wasRestored: site.restored, ...continued } });
  if (!site.restored) {
    output.line(`${site.baseUrl} was not restored: nothing to do.`);
    return EXIT.complete;
  }
  output.line(`${site.baseUrl} is used again.`);
  const { edits, restarted, failed, folders } = continued;
  if (edits > 0) output.line(`Edits that wait for you: ${edits}. List them with “mediadesk edits list”.`);
  if (restarted > 0) output.line(`Uploads that start over with new items: ${restarted}.`);
  if (folders > 0)
    output.line(`Watched folders that were paused, because a collection is missing or has another name: ${folders}.`);
  if (failed > 0) output.line(`Uploads that need a look: ${failed}. List them with “mediadesk queue list --failed”.`);
  return EXIT.complete;
}
