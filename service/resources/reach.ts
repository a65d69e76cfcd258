import type { Store } from '../store/database.ts';
import type { EffectiveAccess } from './effective-permissions.ts';

/** Effective permissions where queries can look them up. They last as long as the connection to the database. */
export interface Reach {
  /** Answers the number of the new list. */
  add(effective: ReadonlyMap<number, EffectiveAccess>): number;
  remove(list: number): void;
  clear(): void;
}

export function createReach(store: Store): Reach {
  store.run(
    `CREATE TEMP TABLE IF NOT EXISTS reach (list INTEGER, collection_id INTEGER, mask INTEGER,
       PRIMARY KEY (list, collection_id)) WITHOUT ROWID`,
  );
  let last = 0;
  return {
    add(effective) {
      last += 1;
      const masks = JSON.stringify([...effective].map(([id, { mask }]) => [id, mask]));
      store.run(`INSERT INTO reach SELECT ?, value ->> 0, value ->> 1 FROM json_each(?)`, last, masks);
      return last;
    },
    remove: (list) => void store.run('DELETE FROM reach WHERE list = ?', list),
    clear: () => void store.run('DELETE FROM reach'),
  };
}
