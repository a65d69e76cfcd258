import { at, type JsonObject } from '../http/answer.ts';
import { type Case, casesOf } from '../suite/case.ts';
import * as is from '../suite/expect.ts';
import { check, equal } from '../suite/expect.ts';
import { fieldCases } from '../suite/field-cases.ts';
import { fiveItems, plainCollection, podcast, shown } from '../world/fixtures.ts';
import type { World } from '../world/world.ts';

const plain = (w: World) => shown(w, () => plainCollection(w), 'collection');

/** The tree node of a collection with one child, which has no children. */
const node = (w: World): Promise<JsonObject> =>
  w.once('tree node', async () => {
    const parent = await w.collection();
    await w.collection({ parent_id: parent.id });
    const { root } = await w.api.read('/api2/collections/tree', { root_id: parent.id, media_count: 'all' });
    return root as JsonObject;
  });

const collectionCases = casesOf('collection-fields', (it) => {
  fieldCases(it, 'a collection', plain, {
    id: is.filled,
    parent_id: is.orNull(is.filled),
    slug: is.filled,
    display_name: is.filled,
    description: [is.string, 'XHTML'],
    description_plain: is.string,
    media_count: is.integer,
    inherit_memberships: is.boolean,
    is_podcast: is.boolean,
    autotranscribe_enabled: is.boolean,
    autotranscribe_subcollections: is.boolean,
    autotranscribe_profile_id: is.orNull(is.filled),
    links: is.object,
    'links.self': is.path,
    'links.parent': [is.orNull(is.path), 'the parent collection'],
    'links.media': [is.path, 'a media list filtered by this collection'],
    'links.podcast_details': [is.nothing, 'this is not a podcast'],
    'links.thumbs': is.path,
    'links.view': is.path,
  });

  it('root-parent', 'parent_id of a root collection is null', async (w) => {
    const root = await w.api.read(`/api2/collections/${await w.rootId()}`);
    equal(root.parent_id, null, 'parent_id');
  });
  it('podcast-link', 'links.podcast_details of a podcast is a path to its podcast details', async (w) => {
    const link = at(await w.api.read((await podcast(w)).path), 'links.podcast_details');
    is.isString(link, 'links.podcast_details');
    await w.api.read(w.site.pathOf(link));
  });
  it('plain-text', 'description_plain is the plain-text form of description', async (w) => {
    const text = String((await plain(w)).description_plain);
    check(!/[<>]/.test(text), `description_plain has markup: ${text}`);
    for (const word of ['One', '&', 'two']) check(text.includes(word), `description_plain lacks ${word}: ${text}`);
  });
  it('slug-unique', 'Collections with the same display name have different slugs', async (w) => {
    const display_name = w.name('twin');
    const [one, two] = [await w.collection({ display_name }), await w.collection({ display_name })];
    const slugs = [await w.api.read(one.path), await w.api.read(two.path)].map(({ slug }) => slug);
    check(slugs[0] !== slugs[1], `Both slugs are ${slugs[0]}.`);
  });
  it('media-counted', 'media_count counts the media items of the collection', async (w) => {
    equal((await w.api.read((await fiveItems(w)).collection.path)).media_count, 5, 'media_count');
  });
  it('self-link', 'links.self leads to the collection itself', async (w) => {
    const collection = await plain(w);
    const self = w.site.pathOf(String(at(collection, 'links.self')));
    equal((await w.api.read(self)).id, collection.id, 'id');
  });
  it('parent-link', 'links.parent leads to the parent', async (w) => {
    const collection = await plain(w);
    const parent = w.site.pathOf(String(at(collection, 'links.parent')));
    equal((await w.api.read(parent)).id, collection.parent_id, 'id of the parent');
  });
  it('media-link', 'links.media leads to the media of this collection', async (w) => {
    const { collection, items } = await fiveItems(w);
    const link = String(at(await w.api.read(collection.path), 'links.media'));
    is.sameSet(
      await w.api.ids(w.site.pathOf(link)),
      items.map(({ id }) => id),
      'The media behind the link',
    );
  });
  it('thumbs-link', 'links.thumbs leads to the thumbnails of this collection', async (w) => {
    const link = String(at(await plain(w), 'links.thumbs'));
    is.hasStatus(await w.api.get(w.site.pathOf(link)), 200);
  });
});

const treeCases = casesOf('tree-fields', (it) => {
  fieldCases(it, 'a tree node', node, {
    id: is.filled,
    display_name: is.filled,
    is_podcast: is.boolean,
    slug: is.filled,
    children: [is.arrayOf(is.object), 'the nodes below it'],
    media_count: [is.integer, 'when requested'],
  });
  it('leaf', 'children of a leaf is an empty array', async (w) => {
    const { children } = await node(w);
    is.isList(children, 'children');
    equal(at(children[0], 'children'), [], 'children of the leaf');
  });
});

const podcastCases = casesOf('podcast-fields', (it) => {
  const details = (w: World) =>
    w.once('podcast details', async () => w.api.read(`${(await podcast(w)).path}/podcast-details`));
  fieldCases(it, 'podcast details', details, {
    directory_author_name: is.orNull(is.string),
    directory_author_email: is.orNull(is.string),
    directory_subtitle: is.orNull(is.string),
    directory_explicit: is.orNull(is.oneOf('no', 'yes', 'clean')),
    directory_category: is.orNull(is.string),
    copyright: is.orNull(is.string),
    directory_url: is.orNull(is.string),
    directory_edu_category: is.orNull(is.string),
    feed_proxy_url: is.orNull(is.string),
  });
});

export const collectionFieldCases: Case[] = [...collectionCases, ...treeCases, ...podcastCases];
