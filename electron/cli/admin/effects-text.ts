import type { AccessChange, AccessEffects, Way } from '../../../shared/contract/admin/access.ts';
import type { EngineContext } from '../command-base/context.ts';
import { counted } from './admin-outcome.ts';

export const PREVIEW_OPTION = {
  preview: { value: null, help: 'Only print who would gain and lose what. Changes nothing.' },
} as const;

/** Prints what a planned change means for people. */
export async function printEffects(
  { engine, output }: Pick<EngineContext, 'engine' | 'output'>,
  siteId: string,
  change: AccessChange,
): Promise<void> {
  const effects = await engine.call('access.effects', { siteId, change });
  output.record({ effects });
  for (const line of effectLines(effects)) output.line(line);
}

/** Returns a sentence with the number of users, then a line for each permission that some of them gain or lose. */
export function effectLines({ people, effects, isPublic }: AccessEffects): string[] {
  const first =
    people === 0
      ? 'This change affects nobody’s permissions.'
      : `${counted(people, 'user')} ${people === 1 ? 'gains or loses' : 'gain or lose'} permissions:`;
  return [
    first,
    ...effects.map(({ permission, gain, lose, gainNames, loseNames }) => {
      const parts = [partText(gain, 'gains', 'gain', gainNames), partText(lose, 'loses', 'lose', loseNames)];
      return `  ${permission}: ${parts.filter((part) => part !== '').join('; ')}`;
    }),
    ...(isPublic ? ['Visitors without an account are affected, too.'] : []),
  ];
}

function partText(count: number, one: string, several: string, names: readonly string[]): string {
  if (count === 0) return '';
  const more = count > names.length ? ', …' : '';
  return `${count} ${count === 1 ? one : several} it (${names.join(', ')}${more})`;
}

/** Returns a way to permissions, such as `Viewer, directly` or `Viewer by the group “Crew”, inherited from “Library” (2 levels above)`. */
export function wayText({ kind, group, collection, role }: Way): string {
  if (kind === 'administrator') return 'Administrators may do everything in every collection';
  const by = group === null ? ', directly' : ` by the group “${group.name || group.id}”`;
  const isOwn = collection === null || collection.levels === 0;
  const from = isOwn ? '' : `, inherited from “${collection.name}” (${counted(collection.levels, 'level')} above)`;
  return `${role?.name || role?.id || ''}${by}${from}`;
}
