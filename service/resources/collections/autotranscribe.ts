import type { Store } from '../../database/store.ts';
import type { Call } from '../../site/site.ts';
import { subtreeIds } from './collection-move.ts';

const FIELDS = ['autotranscribe_enabled', 'autotranscribe_subcollections', 'autotranscribe_profile_id'] as const;

/** The autotranscription settings of a collection, as stored. */
export interface Autotranscription {
  autotranscribe_enabled: number;
  autotranscribe_subcollections: number;
  autotranscribe_profile_id: string | null;
}

const NONE: Autotranscription = {
  autotranscribe_enabled: 0,
  autotranscribe_subcollections: 0,
  autotranscribe_profile_id: null,
};

/** Returns the initial settings of a new collection: the settings of its parent, if they apply to subcollections. */
export async function inheritedAutotranscription(store: Store, parentId: number): Promise<Autotranscription> {
  const parent = await store.get<Autotranscription>(
    `SELECT ${FIELDS.join(', ')} FROM collections WHERE id = ?`,
    parentId,
  );
  return parent?.autotranscribe_subcollections === 1 ? parent : NONE;
}

/** Whether a request sets any of the settings. */
export function setsAutotranscription(input: Readonly<Record<string, unknown>>): boolean {
  return FIELDS.some((name) => input[name] !== undefined);
}

/**
 * Copies the settings of a collection to all descendants that the caller may update, if they apply to subcollections.
 */
export async function copyAutotranscriptionDown(call: Call, collectionId: number): Promise<void> {
  const { store, access } = call.site;
  if ((await inheritedAutotranscription(store, collectionId)) === NONE) return;
  const rights = await access.of(call.caller);
  const below = (await subtreeIds(store, collectionId)).filter(
    (id) => id !== collectionId && rights.may('collection-update', id),
  );
  await store.run(
    `UPDATE collections SET (${FIELDS.join(', ')}) = (SELECT ${FIELDS.join(', ')} FROM collections WHERE id = ?),
       modified_on = ? WHERE id IN (SELECT value FROM json_each(?))`,
    collectionId,
    call.nowOn,
    JSON.stringify(below),
  );
}
