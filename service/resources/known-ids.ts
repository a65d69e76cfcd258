import { z } from 'zod';
import type { Store } from '../database/store.ts';
import { bodyId } from '../wire/body.ts';
import { parseId, throwIfAny } from '../wire/query.ts';

const WHAT = { users: 'user', groups: 'group', roles: 'role', collections: 'collection' } as const;
type Table = keyof typeof WHAT;

/** Several identifiers in a body. */
export const idArray = z.array(bodyId).max(10_000, 'must have at most 10000 identifiers');

/** Parses the ids of existing rows. Throws 422 for any other id, with the field and the index of the id. */
export async function knownIds(store: Store, table: Table, field: string, texts: readonly string[]): Promise<number[]> {
  const ids = texts.map((text) => parseId(text) ?? -1);
  const known = new Set(
    (
      await store.all<{ id: number }>(
        `SELECT id FROM ${table} WHERE id IN (SELECT value FROM json_each(?))`,
        JSON.stringify(ids),
      )
    ).map(({ id }) => id),
  );
  throwIfAny(
    ids.flatMap((id, index) =>
      known.has(id) ? [] : [{ field: `${field}.${index}`, message: `must be the id of a ${WHAT[table]}` }],
    ),
  );
  return [...new Set(ids)];
}

/** Parses the id of an existing row. Throws 422 for any other id, with the field. */
export async function knownId(store: Store, table: Table, field: string, text: string): Promise<number> {
  const id = parseId(text) ?? -1;
  const known = (await store.get(`SELECT 1 FROM ${table} WHERE id = ?`, id)) !== undefined;
  throwIfAny(known ? [] : [{ field, message: `must be the id of a ${WHAT[table]}` }]);
  return id;
}
