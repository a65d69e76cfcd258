import type { Command } from '../command.ts';
import { EXIT, type ExitCode } from '../exit-codes.ts';
import { instantOf, settingsText } from '../schedule-values.ts';
import { table } from '../text-format.ts';
import type { CommandContext } from './context.ts';
import { afterKnown, knownIds, knownSelection } from './known-uploads.ts';

type Of<K extends Command['kind']> = Extract<Command, { kind: K }>;

export async function pauseUntil(context: CommandContext, { until }: Of<'queue-pause-until'>): Promise<ExitCode> {
  const instant = instantOf(until, Date.now());
  const { changed } = await context.engine.call('uploads.pauseUntil', { until: instant });
  context.output.record({ pause: { changed, until: instant } });
  context.output.line(`Paused until ${new Date(instant).toLocaleString()}.`);
  return EXIT.complete;
}

export async function sendNext(context: CommandContext, { selection }: Of<'queue-next'>): Promise<ExitCode> {
  const { selection: known, error } = await knownSelection(context, selection);
  tell(context, 'next', await context.engine.call('uploads.sendNext', { selection: known }), 'To be sent next');
  return afterKnown(context, error, EXIT.complete);
}

export async function setPriority(
  context: CommandContext,
  { selection, priority }: Of<'queue-priority'>,
): Promise<ExitCode> {
  const { selection: known, error } = await knownSelection(context, selection);
  const answer = await context.engine.call('uploads.setPriority', { selection: known, priority });
  tell(context, 'priority', answer, `Now of ${priority} priority`);
  return afterKnown(context, error, EXIT.complete);
}

export async function moveUploads(context: CommandContext, { ids, before }: Of<'queue-move'>): Promise<ExitCode> {
  // In front of what is not there means nowhere: nothing is moved then.
  const place = await knownIds(context, before === null ? [] : [before]);
  if (place.error !== null) throw place.error;
  const { known, error } = await knownIds(context, ids);
  if (error !== null && known.length === 0) throw error;
  tell(context, 'move', await context.engine.call('uploads.move', { ids: known, before }), 'Moved');
  return afterKnown(context, error, EXIT.complete);
}

/** Shows the settings, after a change if there is one. */
export async function settings({ engine, output }: CommandContext, { patch }: Of<'settings'>): Promise<ExitCode> {
  const isChange = Object.keys(patch).length > 0;
  const now = isChange ? await engine.call('settings.set', { patch }) : await engine.call('settings.get', null);
  output.record({ settings: now });
  for (const line of table(settingsText(now))) output.line(line);
  return EXIT.complete;
}

function tell(
  { output }: CommandContext,
  name: 'next' | 'priority' | 'move',
  { changed }: { changed: number },
  words: string,
): void {
  output.record({ [name]: { changed } });
  output.line(`${words}: ${changed} ${changed === 1 ? 'upload' : 'uploads'}.`);
}
