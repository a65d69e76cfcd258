import type { Store } from '../../database/store.ts';
import type { Call } from '../../site/site.ts';
import { subtreeIds } from './collection-move.ts';

const FIELDS = ['autotranscribe_enabled', 'autotranscribe_subcollections', 'autotranscribe_profile_id'] as const;

/** A collection's autotranscription settings as they are stored. */
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

/** What a new collection begins with: its parent's settings, where those go for subcollections too. */
export function inheritedAutotranscription(store: Store, parentId: number): Autotranscription {
  const parent = store.get<Autotranscription>(`SELECT ${FIELDS.join(', ')} FROM collections WHERE id = ?`, parentId);
  return parent?.autotranscribe_subcollections === 1 ? parent : NONE;
}

/** Whether any of the settings is among the fields that a request gives. */
export function givesAutotranscription(input: Readonly<Record<string, unknown>>): boolean {
  return FIELDS.some((name) => input[name] !== undefined);
}

/** Gives a collection's settings to everything below it that the caller may update, if they go for subcollections too. */
export function passAutotranscriptionDown(call: Call, collectionId: number): void {
  const { store, access } = call.site;
  if (inheritedAutotranscription(store, collectionId) === NONE) return;
  const rights = access.of(call.caller);
  const below = subtreeIds(store, collectionId).filter(
    (id) => id !== collectionId && rights.may('collection-update', id),
  );
  store.run(
    `UPDATE collections SET (${FIELDS.join(', ')}) = (SELECT ${FIELDS.join(', ')} FROM collections WHERE id = ?),
       modified_on = ? WHERE id IN (SELECT value FROM json_each(?))`,
    collectionId,
    call.nowOn,
    JSON.stringify(below),
  );
}
