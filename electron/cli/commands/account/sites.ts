import type { Site } from '../../../../shared/contract/sites.ts';
import { noOperands } from '../../arguments/options.ts';
import type { EngineContext } from '../../command-base/context.ts';
import { defineEngineCommand } from '../../command-base/define-engine-command.ts';
import { EXIT, type ExitCode } from '../../output/exit-codes.ts';
import { afterCommand } from '../../output/next-step.ts';

export const sitesCommand = defineEngineCommand({
  name: 'sites',
  operands: '',
  summary: 'List the libraries and accounts of this profile.',
  options: {},
  read: (_values, operands) => noOperands(operands),
  reads: () => true,
  run: listSites,
});

const STATE_WORDS: Record<Site['state'], string> = {
  'signed-in': 'signed in',
  'signed-out': 'signed out',
  'needs-sign-in': 'sign-in required',
};

const KEPT_WORDS: Record<Site['keptIn'], string> = {
  system: 'in the keychain',
  memory: 'not stored',
  file: 'in a protected file',
};

function stateWords({ problem, state, restored }: Site): string {
  if (state === 'signed-in' && problem !== null) return 'sign-in can’t be read';
  return state === 'signed-in' && restored ? 'restored from a backup' : STATE_WORDS[state];
}

async function listSites({ engine, output }: EngineContext): Promise<ExitCode> {
  const sites = await engine.call('sites.list', null);
  for (const site of sites) output.record({ site });
  for (const { problem } of sites)
    if (problem !== null && !output.json) output.alert(afterCommand(problem, 'command-ended'));
  if (sites.length === 0) output.note('No library is set up on this computer.');
  const rows = sites.map((site) => [
    site.baseUrl,
    stateWords(site),
    site.accountName ?? '',
    site.state === 'signed-out' ? '' : KEPT_WORDS[site.keptIn],
    site.id,
  ]);
  output.table(['LIBRARY', 'STATE', 'ACCOUNT', 'SIGN-IN', 'ID'], rows);
  return EXIT.complete;
}
