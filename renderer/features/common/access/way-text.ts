import type { Way } from '../../../../shared/contract/admin/access.ts';
import { texts } from './texts.ts';

/** Returns a way to permissions as a sentence. */
export function wayText({ kind, role, group, collection }: Way): string {
  if (kind === 'administrator') return texts.explain.administrator;
  const from = collection === null || collection.levels === 0 ? null : collection.name;
  return texts.explain.way(role?.name ?? '', group?.name ?? null, from, collection?.levels ?? 0);
}
