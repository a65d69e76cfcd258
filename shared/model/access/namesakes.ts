import { groupedBy } from '../grouped-by.ts';

/**
 * Returns the ids of the entries that have the same name as another one, without regard to letter case, blanks around it and invisible
 * marks: a choice must tell them apart by more than the name.
 */
export function namesakesIn(entries: Iterable<{ id: string; name: string }>): ReadonlySet<string> {
  const same = [...groupedBy(entries, ({ name }) => keyOf(name)).values()].filter(({ length }) => length > 1);
  return new Set(same.flatMap((group) => group.map(({ id }) => id)));
}

function keyOf(name: string): string {
  return name
    .replace(/[\p{Cc}\p{Cf}]/gu, '')
    .normalize('NFKC')
    .trim()
    .toLowerCase();
}
