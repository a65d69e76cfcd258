import type { PodcastPatch } from '../../../shared/contract/collections.ts';
import type { CollectionRow } from '../../../shared/contract/library.ts';
import { isLocalId } from '../../../shared/model/edits/collection-ops.ts';
import { type CollectionChange, podcastValuesOf, valuesOf } from './collection-model.ts';
import type { KnownCollectionValues } from './edit-history.ts';
import type { EditProgram } from './edit-program.ts';
import type { Act } from './edit-scenario.ts';
import type { EditWorld } from './edit-world.ts';
import type { LibraryModel } from './library-model.ts';

export interface CollectionTools {
  world: EditWorld;
  program: EditProgram;
  site: string;
  noteAccepted(groupId: string, items: number): void;
  /** Notes that a collection is deleted for certain: what is in it needs no decision any more. */
  noteDeleted(collectionId: string): void;
}

const EXPLICIT = ['no', 'yes', 'clean'] as const;

/** The person at an account does something to a collection that the tree shows. */
export async function actOnCollections(act: Act, tools: CollectionTools): Promise<void> {
  const rows = await shownCollections(tools.program, tools.site);
  const row = pickedOf(act.kind === 'podcast' ? rows.filter(({ isPodcast }) => isPodcast) : rows, act);
  if (row === undefined) return;
  const groupId = await doTo(row, rows, act, tools);
  if (groupId != null) tools.noteAccepted(groupId, 1);
}

/** Returns the id of the group of edits; null or undefined when the call names none. */
function doTo(
  row: CollectionRow,
  rows: readonly CollectionRow[],
  act: Act,
  tools: CollectionTools,
): Promise<string | null | undefined> {
  switch (act.kind) {
    case 'new-collection':
      return create(row, act, tools);
    case 'collection-fields':
      return editFields(row, act, tools);
    case 'podcast':
      return editPodcast(row, act, tools);
    case 'move-collection':
      return move(row, rows[act.value % rows.length] as CollectionRow, tools);
    case 'delete-collection':
      return remove(row, rows, tools);
    default:
      throw new Error(`no act about a collection: ${act.kind}`);
  }
}

async function create({ id }: CollectionRow, act: Act, { program, site }: CollectionTools) {
  const slug = act.value % 5 === 0 ? { slug: `s${act.value % 4}` } : {};
  const created = await program.library.handlers['library.createCollection']({
    siteId: site,
    parentId: id,
    displayName: newName(act),
    isPodcast: act.value % 3 === 0,
    ...slug,
  });
  return created.groupId;
}

async function editFields({ id }: CollectionRow, act: Act, tools: CollectionTools) {
  const { handlers } = tools.program.library;
  const where = { siteId: tools.site, collectionId: id };
  const { collection } = await handlers['library.collectionDetail'](where);
  noteSeen(tools, id, valuesOf(collection));
  const patch = fieldsOf(act);
  // Like the window: a missing description was shown as a blank one. For a collection that is not in the library yet, nothing is
  // expected, as on the command line: nobody else can change it.
  const missing = isLocalId(collection.id) ? undefined : '';
  const expected = Object.fromEntries(
    Object.keys(patch).map((field) => [field, collection[field as 'display_name'] ?? missing]),
  );
  return (await handlers['library.updateCollection']({ ...where, patch, expected })).groupId;
}

async function editPodcast({ id }: CollectionRow, act: Act, tools: CollectionTools) {
  const { handlers } = tools.program.library;
  const where = { siteId: tools.site, collectionId: id };
  const { details } = await handlers['library.podcast'](where);
  noteSeen(tools, id, podcastValuesOf(details));
  const edited = await handlers['library.updatePodcast']({ ...where, expected: details, patch: podcastOf(act) });
  return (edited as { groupId?: string }).groupId;
}

async function move({ id, parentId }: CollectionRow, to: CollectionRow, tools: CollectionTools) {
  if (parentId !== null) noteSeen(tools, id, { parent: parentId });
  // Like the window: expects the parent that its tree shows.
  const moves = [
    { collectionId: id, newParentId: to.id, ...(parentId === null ? {} : { expectedParentId: parentId }) },
  ];
  return (await tools.program.library.handlers['library.moveCollections']({ siteId: tools.site, moves })).groupId;
}

async function remove({ id }: CollectionRow, rows: readonly CollectionRow[], tools: CollectionTools) {
  const { handlers } = tools.program.library;
  const ids = { siteId: tools.site, collectionIds: [id] };
  const plan = await handlers['library.planDeletion'](ids);
  const confirmed = { collectionIds: plan.collectionIds, items: plan.items };
  if (plan.forbidden.length > 0) return null;
  tools.world.history.confirmed.push({ site: tools.site, id, collectionIds: plan.collectionIds });
  for (const each of rows) if (isBelow(rows, each, id)) tools.noteDeleted(each.id);
  await handlers['library.deleteCollections']({ ...ids, confirmed });
  return null;
}

/** Whether a collection is another one or below it. */
function isBelow(rows: readonly CollectionRow[], row: CollectionRow, id: string): boolean {
  for (let at: CollectionRow | undefined = row; at !== undefined; at = rows.find((each) => each.id === at?.parentId)) {
    if (at.id === id) return true;
  }
  return false;
}

/** The collections as the program shows them, without those to be deleted; the ones that wait to be created come last. */
export async function shownCollections(program: EditProgram, site: string): Promise<CollectionRow[]> {
  const below = async (parentId: string | null): Promise<CollectionRow[]> => {
    const rows = await program.library.handlers['library.collections']({ siteId: site, parentId });
    const all: CollectionRow[] = [];
    for (const row of rows) if (row.pending !== 'deleted') all.push(row, ...(await below(row.id)));
    return all;
  };
  const rows = await below(null);
  const isNew = ({ pending }: CollectionRow) => pending === 'created';
  return [...rows.filter((row) => !isNew(row)), ...rows.filter(isNew)];
}

/** The third editor, in the browser, does something to a collection. */
export function editCollections(act: Act, library: LibraryModel): void {
  const { collections } = library;
  const ids = collections.ids;
  const id = ids[act.pick % ids.length] as string;
  const other = ids[act.value % ids.length] as string;
  switch (act.kind) {
    case 'new-collection':
      collections.add('editor', id, newName(act), { is_podcast: act.value % 3 === 0 });
      return;
    case 'collection-fields': {
      const { slug: _, ...fields } = fieldsOf(act);
      collections.change('editor', id, fields);
      return;
    }
    case 'podcast':
      collections.change('editor', id, { is_podcast: true, ...podcastOf(act) } as CollectionChange);
      return;
    case 'move-collection':
      if (collections.canMove(id, other)) collections.change('editor', id, { parentId: other });
      return;
    case 'delete-collection':
      collections.remove('editor', id);
      return;
    case 'into-collection': {
      const item = library.ids[act.value % Math.max(1, library.ids.length)];
      if (item !== undefined) library.change('editor', item, { kind: 'fields', fields: { collectionId: id } });
      return;
    }
    default:
      throw new Error(`no act about a collection: ${act.kind}`);
  }
}

/** Persons work on the newest collections most of the time. */
export function pickedOf<Row>(rows: readonly Row[], { pick }: Act): Row | undefined {
  return rows.at(-1 - (pick % Math.max(1, rows.length)));
}

function newName({ value }: Act): string {
  return value % 4 === 0 ? 'Series' : `Series ${value}`;
}

function fieldsOf({ value, pick }: Act) {
  const text = value % 4 === 0 ? 'Same' : `v${value}`;
  const field =
    (['display_name', 'display_name', 'description', 'slug'] as const)[(value + pick) % 4] ?? 'display_name';
  return { [field]: text, ...(value % 6 === 1 ? { is_podcast: true } : {}) } as {
    display_name?: string;
    description?: string;
    slug?: string;
    is_podcast?: boolean;
  };
}

function podcastOf({ value, pick }: Act): PodcastPatch {
  if ((value + pick) % 3 === 0) return { directory_explicit: EXPLICIT[value % 3] ?? 'no' };
  const field = (value + pick) % 3 === 1 ? 'directory_author_name' : 'copyright';
  return { [field]: `v${value}` };
}

function noteSeen({ world, site }: CollectionTools, id: string, values: KnownCollectionValues): void {
  world.noteSeenCollection(site, id, values);
}
