import { noOperands } from '../arguments/options.ts';
import { currentSite, type EngineContext } from '../command/context.ts';
import { defineEngineCommand } from '../command/define-engine-command.ts';
import { EXIT, type ExitCode } from '../output/exit-codes.ts';
import { printable } from '../output/text-format.ts';

export const signOutCommand = defineEngineCommand({
  name: 'sign-out',
  operands: '',
  summary: 'Sign out of a library. The queue stays.',
  options: {},
  read: (_values, operands) => noOperands(operands),
  run: signOut,
});

async function signOut(context: EngineContext): Promise<ExitCode> {
  const site = await currentSite(context);
  await context.engine.call('sites.signOut', { siteId: site.id });
  context.output.record({ signedOut: { siteId: site.id, baseUrl: site.baseUrl } });
  context.output.line(`Signed out of ${printable(site.baseUrl)}.`);
  return EXIT.complete;
}
