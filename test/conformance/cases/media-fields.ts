import { at } from '../http/answer.ts';
import { type Case, casesOf } from '../suite/case.ts';
import * as is from '../suite/expect.ts';
import { check, equal } from '../suite/expect.ts';
import { fieldCases } from '../suite/field-cases.ts';
import { audioItem, shown } from '../world/fixtures.ts';
import type { World } from '../world/world.ts';

const item = (w: World) => shown(w, async () => (await audioItem(w)).media, 'media');

export const mediaFieldCases: Case[] = casesOf('media-fields', (it) => {
  fieldCases(it, 'a media item', item, {
    id: is.filled,
    type: is.oneOf('audio', 'video', 'doc', 'image'),
    status: is.oneOf('published', 'scheduled', 'draft'),
    title: is.filled,
    collection_id: is.filled,
    created_on: is.timestamp,
    modified_on: is.timestamp,
    publish_on: is.timestamp,
    byline: [is.orNull(is.string), 'author credit'],
    duration: [is.integer, 'seconds'],
    duration_hms: is.hms,
    comments_count: is.integer,
    likes_count: is.integer,
    views_count: is.integer,
    description: [is.string, 'HTML'],
    description_plain: is.string,
    tags: [is.arrayOf(is.string), 'tag display names'],
    links: is.object,
    'links.self': is.path,
    'links.collection': is.path,
    'links.files': is.path,
    'links.thumbs': is.path,
    'links.view': is.path,
  });

  it('duration-fits', 'duration_hms is the same time as duration', async (w) => {
    const { duration, duration_hms } = await item(w);
    const [hours = 0, minutes = 0, seconds = 0] = String(duration_hms).split(':').map(Number);
    equal(hours * 3600 + minutes * 60 + seconds, duration, 'duration_hms in seconds');
  });
  it('plain-text', 'description_plain is the description without markup', async (w) => {
    const text = String((await item(w)).description_plain);
    check(!/[<>]/.test(text) && /A\s+short\s+one\./.test(text), `description_plain is ${JSON.stringify(text)}.`);
  });
  it('tag-names', 'tags holds the display names of the item’s tags', async (w) => {
    equal((await item(w)).tags, [(await audioItem(w)).tag], 'tags');
  });
  it('self-link', 'links.self leads to the item itself', async (w) => {
    const media = await item(w);
    equal((await w.api.read(w.site.pathOf(String(at(media, 'links.self'))))).id, media.id, 'id');
  });
  it('collection-link', 'links.collection leads to the item’s collection', async (w) => {
    const media = await item(w);
    const path = w.site.pathOf(String(at(media, 'links.collection')));
    equal((await w.api.read(path)).id, media.collection_id, 'id of the collection');
  });
  it('files-link', 'links.files leads to the list of the item’s files', async (w) => {
    const path = w.site.pathOf(String(at(await item(w), 'links.files')));
    is.has(await w.api.ids(path), (await audioItem(w)).file.id, 'The list of files');
  });
  it('thumbs-link', 'links.thumbs leads to the item’s thumbnails', async (w) => {
    is.hasStatus(await w.api.get(w.site.pathOf(String(at(await item(w), 'links.thumbs')))), 200);
  });
  it('list-same', 'An item in a list has the same fields as by itself', async (w) => {
    const media = await item(w);
    const listed = await w.api.list('/api2/media', { collection_id: String(media.collection_id), type: 'audio' });
    const same = listed.find(({ id }) => id === media.id);
    for (const name of Object.keys(media)) check(same !== undefined && name in same, `${name} is missing in the list.`);
  });

  for (const join of ['files', 'thumbs', 'embedcode']) {
    it(`joins-${join}`, `A media item accepts joins=${join}, and keeps its own fields`, async (w) => {
      const media = await w.api.read((await audioItem(w)).media.path, { joins: join });
      equal(media.title, (await item(w)).title, 'title');
    });
  }
});
