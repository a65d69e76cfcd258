import { type Case, casesOf } from '../suite/case.ts';
import * as is from '../suite/expect.ts';
import { check, deleted, done, equal, hasStatus, invalid, isString, notAllowed, refused } from '../suite/expect.ts';
import { Skip } from '../suite/failure.ts';
import { audioItem } from '../world/fixtures.ts';
import { type Made, publish, unpublish } from '../world/makers.ts';
import type { Holder } from '../world/people.ts';
import type { World } from '../world/world.ts';

const MEDIA = '/api2/media';

const reading = casesOf('media', (it) => {
  it('get', 'GET /media/<id> answers with the media item', async (w) => {
    const { media, title } = await audioItem(w);
    equal((await w.api.read(`${MEDIA}/${media.id}`)).title, title, 'title');
  });
  it('get-unknown', 'GET of an id that does not exist is refused', async (w) => {
    refused(await w.api.get(`${MEDIA}/987654321`));
  });
  it('get-permission', 'GET needs media-read', async (w) => {
    const { api, collection } = await w.holding(['collection-read']);
    const media = await w.media({ collection_id: collection.id });
    await publish(w.api, media);
    notAllowed(await api.get(media.path));
  });
  for (const page of ['view', 'embed']) {
    it(page, `GET /media/<id>/${page} answers 302 with a Location`, async (w) => {
      const answer = hasStatus(await w.api.get(`${MEDIA}/${(await audioItem(w)).media.id}/${page}`), 302);
      isString(answer.location, 'Location');
    });
    it(`${page}-no-token`, `GET /media/<id>/${page} needs no token`, async (w) => {
      const path = `${MEDIA}/${(await audioItem(w)).media.id}/${page}`;
      hasStatus(await w.site.send('GET', path), 302);
    });
  }
  it(
    'embed-template',
    'GET /media/embed-template answers 200 {html} with URL, WIDTH and HEIGHT to be replaced',
    async (w) => {
      const { html } = hasStatus(await w.site.send('GET', `${MEDIA}/embed-template`), 200).object();
      isString(html, 'html');
      for (const word of ['URL', 'WIDTH', 'HEIGHT']) check(html.includes(word), `html lacks ${word}: ${html}`);
      check(/<iframe\b/i.test(html), `html is no iframe: ${html}`);
    },
  );
  const embedCode = async (w: World, query: Record<string, number>) =>
    w.api.read(`${MEDIA}/${(await audioItem(w)).media.id}/embedcode`, query);
  it('embedcode', 'GET /media/<id>/embedcode answers {html, url}', async (w) => {
    const { html, url } = await embedCode(w, {});
    isString(html, 'html');
    isString(url, 'url');
  });
  for (const [side, size] of [
    ['width', 641],
    ['height', 359],
  ] as const) {
    it(`embedcode-${side}`, `${side} sets the ${side} of the embedded player`, async (w) => {
      const { html } = await embedCode(w, { [side]: size });
      check(String(html).includes(String(size)), `html lacks ${size}: ${html}`);
    });
  }
  it('embedcode-permission', 'The embed code needs media-read', async (w) => {
    const { api, collection } = await w.holding(['collection-read']);
    const media = await w.media({ collection_id: collection.id });
    await publish(w.api, media);
    notAllowed(await api.get(`${media.path}/embedcode`));
  });
});

const writing = casesOf('media', (it) => {
  it('create', 'POST /media answers 201 with a Location header that holds the new item’s path', async (w) => {
    const title = w.name('made');
    equal((await w.api.read((await w.media({ title })).path)).title, title, 'title');
  });
  it('create-collection', 'A new item is in the collection that collection_id names', async (w) => {
    const { id } = await w.collection();
    equal((await w.api.read((await w.media({ collection_id: id })).path)).collection_id, id, 'collection_id');
  });
  it('create-no-title', 'title is required', async (w) => {
    invalid(await w.api.post(MEDIA, { collection_id: (await w.collection()).id }));
  });
  it(
    'create-no-collection',
    'Without collection_id an item is created in the personal-media collection or refused',
    async (w) => {
      const answer = await w.api.post(MEDIA, { title: w.name('personal') });
      if (answer.status !== 201) return void invalid(answer);
      const made = w.made(answer);
      isString((await w.api.read(made.path)).collection_id, 'collection_id');
      deleted(await w.api.delete(made.path));
    },
  );
  it('create-permission', 'Creating needs media-create', async (w) => {
    const { api, collection } = await w.holding(['media-read']);
    notAllowed(await api.post(MEDIA, { title: w.name('not'), collection_id: collection.id }));
  });
  const OPTIONAL = { byline: 'Ann Author', description: '<p>Some <i>words</i></p>' } as const;
  for (const [name, value] of Object.entries(OPTIONAL)) {
    it(`create-${name}`, `${name} can be given at creation`, async (w) => {
      equal((await w.api.read((await w.media({ [name]: value })).path))[name], value, name);
    });
    it(`update-${name}`, `${name} can be changed`, async (w) => {
      const made = await w.media();
      done(await w.api.post(made.path, { [name]: value }));
      equal((await w.api.read(made.path))[name], value, name);
    });
  }
  it('create-tags', 'tags can be given at creation, by display name', async (w) => {
    const tags = [w.tagName(), w.tagName()];
    is.sameSet(await tagsOf(w, await w.media({ tags })), tags, 'tags');
  });
  it('update-tags', 'tags can be changed', async (w) => {
    const made = await w.media({ tags: [w.tagName()] });
    for (const tags of [[w.tagName()], []]) {
      done(await w.api.post(made.path, { tags }));
      is.sameSet(await tagsOf(w, made), tags, 'tags');
    }
  });
  it('update-title', 'title can be changed', async (w) => {
    const [made, title] = [await w.media(), w.name('renamed')];
    done(await w.api.post(made.path, { title }));
    equal((await w.api.read(made.path)).title, title, 'title');
  });
  it('update-collection', 'An item can be moved to another collection', async (w) => {
    const [made, { id }] = [await w.media(), await w.collection()];
    done(await w.api.post(made.path, { collection_id: id }));
    equal((await w.api.read(made.path)).collection_id, id, 'collection_id');
  });
  it('update-partial', 'Only fields that are supplied are saved', async (w) => {
    const tags = [w.tagName()];
    const made = await w.media({ byline: 'Kept', description: 'Kept', tags });
    const title = w.name('renamed');
    done(await w.api.post(made.path, { title }));
    const after = await w.api.read(made.path);
    equal([after.title, after.byline, after.description, after.tags], [title, 'Kept', 'Kept', tags], 'The item');
  });
  it('update-unknown', 'An update of an id that does not exist is refused', async (w) => {
    refused(await w.api.post(`${MEDIA}/987654321`, { title: 'Nothing' }));
  });
  it('publish-permission', 'publish needs media-publish', async (w) => {
    const { media, api } = await othersItem(w, await w.holding(['media-update', 'media-create']));
    notAllowed(await api.post(`${media.path}/publish`, {}));
  });
  it('unpublish-permission', 'unpublish needs media-publish', async (w) => {
    const { media, api } = await othersItem(w, await w.holding(['media-update', 'media-create']));
    await publish(w.api, media);
    notAllowed(await api.post(`${media.path}/unpublish`, {}));
    equal((await w.api.read(media.path)).status, 'published', 'status');
  });
  it('add-tags', 'add-tags adds tags and keeps the existing ones', async (w) => {
    const [old, added] = [w.tagName(), w.tagName()];
    const made = await w.media({ tags: [old] });
    done(await w.api.post(`${made.path}/add-tags`, { tags: [added] }));
    is.sameSet(await tagsOf(w, made), [old, added], 'tags');
  });
  it('add-tags-twice', 'Adding an existing tag changes nothing', async (w) => {
    const tags = [w.tagName()];
    const made = await w.media({ tags });
    done(await w.api.post(`${made.path}/add-tags`, { tags }));
    is.sameSet(await tagsOf(w, made), tags, 'tags');
  });
  it('add-tags-required', 'add-tags requires tags', async (w) => {
    invalid(await w.api.post(`${(await w.media()).path}/add-tags`, {}));
  });
  it('remove-tags', 'remove-tags removes tags and keeps the others', async (w) => {
    const [kept, gone] = [w.tagName(), w.tagName()];
    const made = await w.media({ tags: [kept, gone] });
    done(await w.api.post(`${made.path}/remove-tags`, { tags: [gone] }));
    is.sameSet(await tagsOf(w, made), [kept], 'tags');
  });
  it('remove-tags-required', 'remove-tags requires tags', async (w) => {
    invalid(await w.api.post(`${(await w.media()).path}/remove-tags`, {}));
  });
  it('delete', 'DELETE /media/<id> answers 204, and the item is gone', async (w) => {
    const made = await w.media();
    deleted(await w.api.delete(made.path));
    refused(await w.api.get(made.path));
  });
  it('delete-unknown', 'DELETE of an id that does not exist answers 204', async (w) => {
    deleted(await w.api.delete(`${MEDIA}/987654321`));
  });
  it('delete-files', 'Deleting an item deletes its files', async (w) => {
    const made = await w.media();
    const file = await w.file(made);
    deleted(await w.api.delete(made.path));
    refused(await w.api.get(file.path));
  });
});

async function tagsOf(w: World, made: Made): Promise<string[]> {
  const { tags } = await w.api.read(made.path);
  is.isList(tags, 'tags');
  return tags.map(String);
}

async function othersItem(w: World, holder: Holder): Promise<{ media: Made; api: Holder['api'] }> {
  return { media: await w.media({ collection_id: holder.collection.id }), api: holder.api };
}

/** An unpublished item of a user who has media-create but neither media-update nor media-delete. */
async function ownItem(w: World): Promise<{ media: Made; api: Holder['api'] }> {
  const { api, collection } = await w.holding(['media-create']);
  const media = await w.media({ collection_id: collection.id }, api);
  if ((await w.api.read(media.path)).status === 'published') throw new Skip('new items are published at once here');
  return { media, api };
}

const own = casesOf('media', (it) => {
  it('own-update', 'A holder of media-create may edit own items that are not published yet', async (w) => {
    const { media, api } = await ownItem(w);
    done(await api.post(media.path, { byline: 'Mine' }));
    equal((await w.api.read(media.path)).byline, 'Mine', 'byline');
  });
  it('own-delete', 'A holder of media-create may delete own items that are not published yet', async (w) => {
    const { media, api } = await ownItem(w);
    deleted(await api.delete(media.path));
    refused(await w.api.get(media.path));
  });
  it(
    'own-delete-others',
    'media-create is not enough to delete items of others, also if they are visible',
    async (w) => {
      const { media, api } = await othersItem(w, await w.holding(['media-update', 'media-create']));
      await unpublish(w.api, media);
      await api.read(media.path);
      notAllowed(await api.delete(media.path));
      await w.api.read(media.path);
    },
  );
  it('own-update-published', 'The creator can’t edit a published item with media-create alone', async (w) => {
    const { media, api } = await ownItem(w);
    await publish(w.api, media);
    notAllowed(await api.post(media.path, { byline: 'Mine' }));
  });
  it('own-delete-published', 'The creator can’t delete a published item with media-create alone', async (w) => {
    const { media, api } = await ownItem(w);
    await publish(w.api, media);
    notAllowed(await api.delete(media.path));
    await w.api.read(media.path);
  });
  it('own-update-unpublished', 'Unpublishing the item does not give the creator these rights back', async (w) => {
    const { media, api } = await ownItem(w);
    await publish(w.api, media);
    await unpublish(w.api, media);
    notAllowed(await api.post(media.path, { byline: 'Mine' }));
    notAllowed(await api.delete(media.path));
    await w.api.read(media.path);
  });
  it('others-update', 'media-create is not enough to edit items of others', async (w) => {
    const { media, api } = await othersItem(w, await w.holding(['media-create']));
    await unpublish(w.api, media);
    notAllowed(await api.post(media.path, { byline: 'Mine' }));
  });
  it('others-delete', 'media-create is not enough to delete items of others', async (w) => {
    const { media, api } = await othersItem(w, await w.holding(['media-create']));
    await publish(w.api, media);
    notAllowed(await api.delete(media.path));
    await w.api.read(media.path);
  });
});

export const mediaCases: Case[] = [...reading, ...writing, ...own];
