import { nameKey } from '../../../shared/model/access/name-key.ts';
import { groupedBy } from '../../../shared/model/grouped-by.ts';
import { asAdministrator } from './directories.ts';

/** Lists all groups or roles that the library has now, by the keys of their names. */
export function listedByName<Row extends { display_name: string }>(
  pages: AsyncIterable<{ items: readonly Row[] }>,
): Promise<ReadonlyMap<string, Row[]>> {
  const listed = async () => {
    const rows: Row[] = [];
    for await (const { items } of pages) rows.push(...items);
    return groupedBy(rows, ({ display_name }) => nameKey(display_name));
  };
  return asAdministrator(listed());
}
