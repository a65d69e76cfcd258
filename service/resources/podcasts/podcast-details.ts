import { z } from 'zod';
import { EXPLICIT_VALUES, mostOfPodcastField, PODCAST_FIELDS } from '../../../shared/api/podcast-fields.ts';
import { recordOf } from '../../../shared/item/fields.ts';
import type { Bindable, Store } from '../../database/store.ts';
import type { Call } from '../../site/site.ts';
import { bodyOf, lineOrNull, optionalLine, text } from '../../wire/body.ts';
import { badRequest, forbidden } from '../../wire/problem.ts';
import type { CollectionRow } from '../collections/collection-row.ts';
import { readableCollection } from '../collections/collections.ts';

const fields = z.object({
  ...recordOf(PODCAST_FIELDS, (field) => optionalLine(mostOfPodcastField(field)).nullish()),
  directory_subtitle: text(mostOfPodcastField('directory_subtitle')).nullish(),
  directory_explicit: z.enum(EXPLICIT_VALUES, `must be one of ${EXPLICIT_VALUES.join(', ')}`).nullish(),
});

/** The bodies of the requests about podcast details. */
export const PODCAST_BODIES = { update: fields };
/** The details in the feed of a podcast collection; null for a detail that is not set. */
type PodcastDetails = { [Name in keyof typeof fields.shape]?: string | null };
const NAMES = Object.keys(fields.shape) as (keyof PodcastDetails)[];

export async function getPodcastDetails(call: Call, idText: string): Promise<PodcastDetails> {
  return await detailsOf(call.site.store, (await podcast(call, idText)).id);
}

/** Saves the given details; null or an empty text clears a detail. */
export async function updatePodcastDetails(call: Call, idText: string, body: unknown): Promise<PodcastDetails> {
  const row = await podcast(call, idText);
  if (!(await call.site.access.of(call.caller)).may('collection-update', row.id)) throw forbidden();
  const input = bodyOf(fields, body);
  const given = NAMES.filter((name) => input[name] !== undefined);
  const { store } = call.site;
  await store.transaction(async () => {
    await store.run('INSERT INTO podcast_details (collection_id) VALUES (?) ON CONFLICT DO NOTHING', row.id);
    for (const name of given) {
      const value: Bindable = lineOrNull(input[name]);
      await store.run(`UPDATE podcast_details SET ${name} = ? WHERE collection_id = ?`, value, row.id);
    }
  });
  call.effect({ name: 'podcast-details-updated', collection_id: row.id });
  return await detailsOf(store, row.id);
}

async function podcast(call: Call, idText: string): Promise<CollectionRow> {
  const row = await readableCollection(call, idText);
  if (row.is_podcast !== 1) throw badRequest('The collection is not a podcast.');
  return row;
}

/** Returns the details of a podcast. */
export async function detailsOf(store: Store, collectionId: number): Promise<PodcastDetails> {
  const row = await store.get<PodcastDetails>('SELECT * FROM podcast_details WHERE collection_id = ?', collectionId);
  return Object.fromEntries(NAMES.map((name) => [name, row?.[name] ?? null])) as PodcastDetails;
}
