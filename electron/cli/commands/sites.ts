import type { Site } from '../../../shared/contract/sites.ts';
import type { Command } from '../command.ts';
import { EXIT, type ExitCode } from '../exit-codes.ts';
import { printable, table } from '../text-format.ts';
import { type CommandContext, currentSite } from './context.ts';

const STATE_WORDS: Record<Site['state'], string> = {
  'signed-in': 'signed in',
  'signed-out': 'signed out',
  'needs-sign-in': 'needs a new sign-in',
};

const KEPT_WORDS: Record<Site['keptIn'], string> = {
  system: 'in the keychain',
  memory: 'in memory only',
  file: 'in a protected file',
};

export async function signIn(
  context: CommandContext,
  { baseUrl, clientId }: Extract<Command, { kind: 'sign-in' }>,
): Promise<ExitCode> {
  const { engine, output, interruption } = context;
  const cancel = () => void engine.call('sites.cancelSignIn', null).catch(() => undefined);
  interruption.signal.addEventListener('abort', cancel, { once: true });
  try {
    const site = await engine.call('sites.signIn', { baseUrl, clientId, browser: 'system' });
    output.record({ site });
    output.line(`Signed in to ${siteWithAccount(site)}.`);
    if (site.keptIn === 'memory') output.note('This sign-in is kept in memory only: it ends with this command.');
    return EXIT.complete;
  } finally {
    interruption.signal.removeEventListener('abort', cancel);
  }
}

export async function signOut(context: CommandContext): Promise<ExitCode> {
  const site = await currentSite(context);
  await context.engine.call('sites.signOut', { siteId: site.id });
  context.output.record({ signedOut: { siteId: site.id, baseUrl: site.baseUrl } });
  context.output.line(`Signed out of ${printable(site.baseUrl)}.`);
  return EXIT.complete;
}

export async function listSites({ engine, output }: CommandContext): Promise<ExitCode> {
  const sites = await engine.call('sites.list', null);
  for (const site of sites) output.record({ site });
  if (sites.length === 0) output.note('No library is set up here yet.');
  const rows = sites.map((site) => [
    site.baseUrl,
    STATE_WORDS[site.state],
    site.accountName ?? '',
    site.state === 'signed-out' ? '' : KEPT_WORDS[site.keptIn],
    site.id,
  ]);
  for (const line of table(rows)) output.line(line);
  return EXIT.complete;
}

function siteWithAccount(site: Site): string {
  return printable(site.accountName ? `${site.baseUrl} as ${site.accountName}` : site.baseUrl);
}
