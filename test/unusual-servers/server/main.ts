// The process of the unusual servers. Its parent opens and closes libraries by the id of a case.
import { fastClock } from '../../helpers/time/fast-clock.ts';
import { ALL_CASES } from '../cases/all.ts';
import type { Command, CommandReply } from './commands.ts';
import { UnusualSite } from './site.ts';

const sites = new Map<string, UnusualSite>();

async function run(command: Command): Promise<CommandReply['value']> {
  if (command.kind === 'open') {
    const found = ALL_CASES.find(({ id }) => id === command.caseId);
    if (found === undefined) throw new Error(`No case is named ${command.caseId}.`);
    const site = await UnusualSite.open(found.server, fastClock(command.speed, command.epochMs));
    sites.set(command.caseId, site);
    return { baseUrl: site.baseUrl };
  }
  const site = sites.get(command.caseId);
  if (site === undefined) throw new Error(`${command.caseId} is not open.`);
  if (command.kind === 'report') return site.report();
  sites.delete(command.caseId);
  await site.close();
  return null;
}

process.on('message', (command: Command) => {
  run(command).then(
    (value) => process.send?.({ id: command.id, value, error: null } satisfies CommandReply),
    (error: unknown) => process.send?.({ id: command.id, value: null, error: String(error) } satisfies CommandReply),
  );
});
process.on('disconnect', () => process.exit(0));
