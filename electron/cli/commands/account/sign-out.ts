import { appError } from '../../../../shared/contract/app-error.ts';
import type { Unsent } from '../../../../shared/contract/sites.ts';
import { noOperands } from '../../arguments/options.ts';
import { currentSite, type EngineContext } from '../../command-base/context.ts';
import { defineEngineCommand } from '../../command-base/define-engine-command.ts';
import { EXIT, type ExitCode } from '../../output/exit-codes.ts';

/** Lists unsent edits and uploads and stops, unless `--yes` confirms the sign-out. Neither edits nor uploads are deleted. */
export const signOutCommand = defineEngineCommand({
  name: 'sign-out',
  operands: '',
  summary: 'Sign out of a library. Unsent edits and the queue stay.',
  options: {
    yes: { value: null, help: 'Sign out although edits or uploads aren’t sent. They stay on this computer.' },
  },
  read(values, operands) {
    noOperands(operands);
    return { isConfirmed: values.yes === true };
  },
  run: signOut,
});

async function signOut(context: EngineContext, { isConfirmed }: { isConfirmed: boolean }): Promise<ExitCode> {
  const { engine, output } = context;
  const site = await currentSite(context);
  const unsent = await engine.call('sites.unsent', { siteId: site.id });
  const parts = unsentLines(unsent);
  if (parts.length > 0) {
    output.record({ unsent: { siteId: site.id, ...unsent } });
    for (const part of parts) output.line(part);
    if (!isConfirmed) throw appError('sign-out.unsent', { details: { siteId: site.id, unsent } });
  }
  await engine.call('sites.signOut', { siteId: site.id });
  output.record({ signedOut: { siteId: site.id, baseUrl: site.baseUrl } });
  output.line(`Signed out of ${site.baseUrl}.`);
  if (parts.length > 0) output.note('They stay on this computer. To send them, sign in with the same account.');
  return EXIT.complete;
}

/** Returns one line for edits and one for uploads, if there are any that the library does not have. */
function unsentLines({ edits, uploads }: Unsent): string[] {
  return [
    ...line('edit', {
      waiting: edits.pending,
      'on hold': edits.held,
      'in conflict': edits.conflict,
      refused: edits.refused,
    }),
    ...line('upload', {
      waiting: uploads.pending,
      failed: uploads.failed,
      'waiting for a decision': uploads.needsDecision,
    }),
  ];
}

/** Returns a line such as `3 edits not sent: 2 waiting, 1 in conflict.`; none when all counts are zero. */
function line(what: string, counts: Readonly<Record<string, number>>): string[] {
  const parts = Object.entries(counts).filter(([, count]) => count > 0);
  const total = parts.reduce((sum, [, count]) => sum + count, 0);
  if (total === 0) return [];
  return [
    `${total} ${what}${total === 1 ? '' : 's'} not sent: ${parts.map(([state, count]) => `${count} ${state}`).join(', ')}.`,
  ];
}
