import { z } from 'zod';
import { MAX_COLLECTION_DESCRIPTION, MAX_COLLECTION_NAME } from '../../../shared/api/collection-fields.ts';
import { htmlToText, LINES } from '../../../shared/api/html-text.ts';
import type { Bindable } from '../../database/store.ts';
import type { Call } from '../../site/site.ts';
import { bodyId, bodyOf, line, lineOrNull, text } from '../../wire/body.ts';
import { conflict, forbidden, invalid } from '../../wire/problem.ts';
import { parseId } from '../../wire/query.ts';
import { copyAutotranscriptionDown, inheritedAutotranscription, setsAutotranscription } from './autotranscribe.ts';
import { moveCollection } from './collection-move.ts';
import type { CollectionRow } from './collection-row.ts';
import { readableCollection } from './collections.ts';
import { freeSlug, isSlug, slugTaken } from './slug.ts';

const fields = {
  slug: z.string().refine(isSlug, 'must be letters and digits joined by hyphens').nullish(),
  is_podcast: z.boolean().nullish(),
  autotranscribe_enabled: z.boolean().nullish(),
  autotranscribe_profile_id: bodyId.nullish(),
  autotranscribe_subcollections: z.boolean().nullish(),
  inherit_memberships: z.boolean().nullish(),
  description: text(MAX_COLLECTION_DESCRIPTION).nullish(),
};
const creation = z.object({ display_name: line(MAX_COLLECTION_NAME), parent_id: bodyId, ...fields });
const update = z.object({ display_name: line(MAX_COLLECTION_NAME).optional(), parent_id: bodyId.nullish(), ...fields });

/** The bodies of the requests about collections. */
export const COLLECTION_BODIES = { creation, update };

/** Creates a collection under a parent in which the caller has collection-create. */
export async function createCollection(call: Call, body: unknown): Promise<number> {
  const input = bodyOf(creation, body);
  const { store, access } = call.site;
  const parentId = parseId(input.parent_id);
  const rights = await access.of(call.caller);
  const known =
    parentId !== undefined && (await store.get('SELECT 1 FROM collections WHERE id = ?', parentId)) !== undefined;
  if (!known || !rights.may('collection-read', parentId)) {
    throw invalid([{ field: 'parent_id', message: 'must be the id of a collection' }]);
  }
  if (!rights.may('collection-create', parentId)) throw forbidden();
  if (input.slug && (await slugTaken(store, input.slug))) throw conflict('The slug is already in use.');
  const description = input.description ?? '';
  const inherited = await inheritedAutotranscription(store, parentId);
  const id = await store.insert(
    `INSERT INTO collections (parent_id, slug, display_name, description, description_plain, inherit_memberships, is_podcast,
       autotranscribe_enabled, autotranscribe_subcollections, autotranscribe_profile_id, created_on, modified_on)
     VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?) RETURNING id`,
    parentId,
    input.slug ?? (await freeSlug(store, input.display_name)),
    input.display_name,
    description,
    htmlToText(description, LINES),
    Number(input.inherit_memberships ?? true),
    Number(input.is_podcast ?? false),
    Number(input.autotranscribe_enabled ?? inherited.autotranscribe_enabled),
    Number(input.autotranscribe_subcollections ?? inherited.autotranscribe_subcollections),
    lineOrNull(input.autotranscribe_profile_id) ?? inherited.autotranscribe_profile_id,
    call.nowOn,
    call.nowOn,
  );
  call.effect({ name: 'collection-created', collection_id: id });
  return id;
}

/** Saves the given fields. A `parent_id` that differs from the current one is a move, with the rules of a move. */
export async function updateCollection(call: Call, idText: string, body: unknown): Promise<void> {
  const row = await readableCollection(call, idText);
  const { store, access } = call.site;
  if (!(await access.of(call.caller)).may('collection-update', row.id)) throw forbidden();
  const input = bodyOf(update, body);
  const set: Record<string, Bindable> = {};
  if (input.display_name !== undefined) set.display_name = input.display_name;
  if (input.slug) {
    if (await slugTaken(store, input.slug, row.id)) throw conflict('The slug is already in use.');
    set.slug = input.slug;
  }
  if (input.description !== undefined) {
    set.description = input.description ?? '';
    set.description_plain = htmlToText(input.description ?? '', LINES);
  }
  if (input.autotranscribe_profile_id !== undefined) {
    set.autotranscribe_profile_id = lineOrNull(input.autotranscribe_profile_id);
  }
  for (const name of [
    'is_podcast',
    'autotranscribe_enabled',
    'autotranscribe_subcollections',
    'inherit_memberships',
  ] as const) {
    const value = input[name];
    if (typeof value === 'boolean') set[name] = Number(value);
  }
  await store.transaction(async () => {
    if (input.parent_id !== undefined) await moveIfElsewhere(call, row, input.parent_id);
    await store.run(
      `UPDATE collections SET ${[...Object.keys(set), 'modified_on'].map((name) => `${name} = ?`).join(', ')} WHERE id = ?`,
      ...Object.values(set),
      call.nowOn,
      row.id,
    );
    if (setsAutotranscription(input)) await copyAutotranscriptionDown(call, row.id);
  });
  call.effect({ name: 'collection-updated', collection_id: row.id });
}

/** A null `parent_id` is valid only for a root, where it changes nothing: no other collection can become one. */
async function moveIfElsewhere(call: Call, row: CollectionRow, parentText: string | null): Promise<void> {
  const present = row.parent_id === null ? null : String(row.parent_id);
  if (parentText === present) return;
  if (parentText === null) throw invalid([{ field: 'parent_id', message: 'must be the id of a collection' }]);
  await moveCollection(call, row, parentText, 'parent_id');
}

/** Generates the slug again from the display name. */
export async function reslugify(call: Call, idText: string): Promise<void> {
  const row = await readableCollection(call, idText);
  const { store, access } = call.site;
  if (!(await access.of(call.caller)).may('collection-update', row.id)) throw forbidden();
  const slug = await freeSlug(store, row.display_name, row.id);
  await store.run('UPDATE collections SET slug = ?, modified_on = ? WHERE id = ?', slug, call.nowOn, row.id);
  call.effect({ name: 'collection-updated', collection_id: row.id });
}
