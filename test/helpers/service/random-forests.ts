// Many small libraries in one: trees of collections with users, groups, roles and memberships of their own.
import { ALL_PERMISSIONS, closed, namesOf } from '../../../shared/api/permission-sets.ts';
import type { AccessSubject } from '../../../shared/contract/admin/access.ts';
import { Prng } from '../data/prng.ts';
import { type DirectRows, writeRows } from './direct-rows.ts';

/** One of the small libraries. */
export interface Forest {
  /** What repeats it. */
  seed: number;
  collectionIds: string[];
  subjects: AccessSubject[];
}

const TABLES = ['memberships', 'collections', 'roles', 'groups', 'users'] as const;

/** Replaces the forests in the database of a stopped service. What the service had before the first call stays. */
export class ForestFiller {
  readonly #path: string;
  #kept: ReadonlyMap<string, number> | null = null;

  constructor(databasePath: string) {
    this.#path = databasePath;
  }

  /** Plants a forest for each seed. */
  fill(seeds: readonly number[]): Forest[] {
    return writeRows(this.#path, (rows) => {
      const { database } = rows;
      this.#kept ??= new Map(
        TABLES.map((table) => [table, Number(database.prepare(`SELECT max(id) AS id FROM ${table}`).get()?.id)]),
      );
      for (const [table, id] of this.#kept) database.prepare(`DELETE FROM ${table} WHERE id > ?`).run(id);
      database.prepare('DELETE FROM group_users WHERE user_id > ?').run(this.#kept.get('users') ?? 0);
      const builtIn = database.prepare('SELECT id FROM groups WHERE built_in IS NOT NULL').all();
      const ids = builtIn.map(({ id }) => Number(id));
      return seeds.map((seed) => plant(rows, seed, ids));
    });
  }
}

/** `builtIn`: the groups to which everybody belongs. */
function plant(rows: DirectRows, seed: number, builtIn: readonly number[]): Forest {
  const random = new Prng(seed, 33);
  const several = (least: number, most: number, make: (index: number) => number) =>
    Array.from({ length: random.int(least, most) }, (_, index) => make(index));

  const collections: number[] = [];
  for (let left = random.int(1, 12); left > 0; left--) {
    const index = collections.length;
    // Below one of the others, below the collection of the whole library, or at the top beside it.
    const parent = index > 0 && random.chance(0.75) ? random.pick(collections) : random.pick([1, null]);
    collections.push(rows.collection(`forest-${seed}-${index}`, `Place ${index}`, parent, random.chance(0.7)));
  }
  const roles = several(1, 4, () => {
    const mask = random.chance(0.1) ? 0 : closed(random.int(0, ALL_PERMISSIONS));
    return rows.role(`Role ${seed}`, namesOf(mask));
  });
  const groups = several(0, 4, (index) => rows.group(`Group ${seed} ${index}`));
  const users = several(1, 4, (index) => rows.user(`f${seed}-${index}`, 'Forest', random.chance(0.01)));
  for (const group of groups) for (const user of users) if (random.chance(0.5)) rows.join(group, user);
  const holders = [
    ...users.map((user) => ({ user })),
    // The roles of a built-in group count for all users of the library.
    ...[...groups, ...(random.chance(0.05) ? builtIn : [])].map((group) => ({ group })),
  ];
  for (let left = random.int(0, 14); left > 0; left--) {
    rows.membership(random.pick(holders), random.pick(collections), random.pick(roles));
  }
  const subjectsOf = (kind: AccessSubject['kind'], ids: readonly number[]) =>
    ids.map((id) => ({ kind, id: String(id) }));
  return {
    seed,
    collectionIds: collections.map(String),
    subjects: [...subjectsOf('user', users), ...subjectsOf('group', groups)],
  };
}
