import { at, type Json } from '../http/answer.ts';
import { type Case, casesOf } from '../suite/case.ts';
import * as is from '../suite/expect.ts';
import {
  check,
  deleted,
  equal,
  has,
  hasNot,
  hasStatus,
  invalid,
  isString,
  notAllowed,
  refused,
} from '../suite/expect.ts';
import { Skip } from '../suite/failure.ts';
import { eventually } from '../world/eventually.ts';
import { audioItem, pictureItem, videoItem } from '../world/fixtures.ts';
import { type Made, publish } from '../world/makers.ts';
import { png } from '../world/samples.ts';
import type { World } from '../world/world.ts';

/** An item with a complete picture and with a video that has no bytes yet. */
const twoFiles = (w: World) =>
  w.once('two files', async () => {
    const media = await w.media();
    const picture = await w.uploaded(media, { name: 'p.png', bytes: png(), type: 'image' });
    return { media, picture, video: await w.file(media, { upload_type: 'video' }) };
  });

const listing = casesOf('files', (it) => {
  it('list', 'GET /media/<id>/files lists the item’s files, each with its encodings', async (w) => {
    const { media, picture, video } = await twoFiles(w);
    const files = await w.api.list(`${media.path}/files`);
    for (const { id } of [picture, video])
      has(
        files.map((file) => file.id),
        id,
        'The list',
      );
    check(
      files.every((file) => 'encodings' in file),
      'A file has no encodings.',
    );
  });
  for (const type of ['video', 'audio', 'doc', 'image', 'blob']) {
    it(`filter-type-${type}`, `type=${type} keeps files of this type`, async (w) => {
      const { media, picture, video } = await twoFiles(w);
      const expected = { video: video.id, image: picture.id }[type];
      const files = await w.api.list(`${media.path}/files`, { type });
      check(
        files.every((file) => file.type === type),
        'A file of another type is in the list.',
      );
      if (expected !== undefined)
        has(
          files.map(({ id }) => id),
          expected,
          'The list',
        );
    });
  }
  for (const status of ['uploading', 'processing', 'complete', 'error', 'aborted']) {
    it(`filter-status-${status}`, `status=${status} keeps files in this status`, async (w) => {
      const { media, picture, video } = await twoFiles(w);
      const expected = { uploading: video.id, complete: picture.id }[status];
      const files = await w.api.list(`${media.path}/files`, { status });
      check(
        files.every((file) => file.status === status),
        'A file in another status is in the list.',
      );
      if (expected !== undefined)
        has(
          files.map(({ id }) => id),
          expected,
          'The list',
        );
    });
  }
  it('filter-both', 'The filters type and status can be combined', async (w) => {
    const { media, picture } = await twoFiles(w);
    const query = { type: 'image', status: 'complete' };
    equal(await w.api.ids(`${media.path}/files`, query), [picture.id], 'The list');
  });
  it('get', 'GET /media/<id>/files/<id> answers with the file and its encodings', async (w) => {
    const { media, file } = await audioItem(w);
    const { id, encodings } = await w.api.read(`/api2/media/${media.id}/files/${file.id}`);
    equal(id, file.id, 'id');
    is.isList(encodings, 'encodings');
  });
  it('get-unknown', 'GET of an id that does not exist is refused', async (w) => {
    refused(await w.api.get(`${(await audioItem(w)).media.path}/files/987654321`));
  });
});

const content = casesOf('files', (it) => {
  const path = async (w: World) => `${(await audioItem(w)).file.path}/content`;
  it('content', 'GET …/content answers 302 with the Location of a signed URL', async (w) => {
    const answer = hasStatus(await w.api.get(await path(w)), 302);
    check(URL.canParse(answer.location ?? '', w.site.baseUrl), `Location is ${answer.location}.`);
  });
  it('content-json', 'With json the answer is 200 {location}', async (w) => {
    isString(hasStatus(await w.api.get(await path(w), { json: 1 }), 200).object().location, 'location');
  });
  it('content-json-present', 'json needs no value', async (w) => {
    isString(hasStatus(await w.api.get(`${await path(w)}?json`), 200).object().location, 'location');
  });
  const urlWith = async (w: World, query: Record<string, number>) => {
    const { location } = await w.api.read(await path(w), { json: 1, ...query });
    return new URL(String(location), w.site.baseUrl).href;
  };
  it('content-bytes', 'The signed URL gives the file without a token', async (w) => {
    const { status, bytes } = await w.site.bytes(await urlWith(w, {}));
    equal(status, 200, 'The status');
    check(bytes.equals((await audioItem(w)).bytes), `Other bytes came (${bytes.length}).`);
  });
  it('content-ttl', 'ttl says for how many seconds the URL stays valid', async (w) => {
    const url = await urlWith(w, { ttl: 1 });
    await eventually('the URL to expire', async () => ((await w.site.bytes(url)).status >= 400 ? true : undefined));
  });
  it('content-ttl-kept', 'A URL is valid within its ttl', async (w) => {
    equal((await w.site.bytes(await urlWith(w, { ttl: 60 }))).status, 200, 'The status');
  });
});

const EXTENSIONS = { mp4: 'video', mp3: 'audio', wav: 'audio', pdf: 'doc', png: 'image', jpg: 'image' } as const;

const creating = casesOf('files', (it) => {
  const filesOf = async (w: World) => `${(await w.media()).path}/files`;
  it('create', 'POST …/files answers 201 with Location, status uploading and an upload descriptor', async (w) => {
    const media = await w.media();
    const file = await w.file(media);
    const { upload: _upload, ...created } = file.answer.object();
    equal(created.status, 'uploading', 'status');
    equal(await w.api.read(file.path), created, 'The file');
    equal(file.path.split('?')[0], `${media.path}/files/${file.id}`, 'The path of the file');
    check(at(file.answer.object(), 'upload.protocols.form_data.upload_url') !== undefined, 'No upload_url.');
  });
  it('create-no-name', 'upload_name is required', async (w) => {
    invalid(await w.api.post(await filesOf(w), { upload_size: 10 }));
  });
  it('create-no-size', 'upload_size is required', async (w) => {
    invalid(await w.api.post(await filesOf(w), { upload_name: 'a.mp4' }));
  });
  it('create-size-text', 'upload_size is an integer', async (w) => {
    invalid(await w.api.post(await filesOf(w), { upload_name: 'a.mp4', upload_size: 'much' }));
  });
  it('create-type', 'upload_type sets the type, whatever the extension', async (w) => {
    const file = await w.file(await w.media(), { upload_name: 'a.mp4', upload_type: 'blob' });
    equal((await w.api.read(file.path)).type, 'blob', 'type');
  });
  it('create-type-unknown', 'upload_type can only be a file type', async (w) => {
    const body: Json = { upload_name: 'a.mp4', upload_size: 10, upload_type: 'sculpture' };
    invalid(await w.api.post(await filesOf(w), body));
  });
  for (const [extension, type] of Object.entries(EXTENSIONS)) {
    it(`guess-${extension}`, `Without upload_type .${extension} is detected as ${type}`, async (w) => {
      const file = await w.file(await w.media(), { upload_name: `Some file.${extension}` });
      equal((await w.api.read(file.path)).type, type, 'type');
    });
  }
  it('create-embed', 'A file can be created with embed_url, for content elsewhere', async (w) => {
    const body = {
      upload_name: 'elsewhere',
      upload_size: 0,
      embed_url: 'https://video.example/watch?v=1',
      upload_type: 'video',
    };
    const answer = hasStatus(await w.api.post(await filesOf(w), body), 201);
    equal((await w.api.read(w.made(answer).path)).display_name, 'elsewhere', 'display_name');
  });
  it('captions-need-source', 'encoded_from_id is required for captions', async (w) => {
    const body = { upload_name: 'a.srt', upload_size: 10, upload_type: 'captions' };
    invalid(await w.api.post(await filesOf(w), body));
  });
  it('captions', 'Captions are created with encoded_from_id, the id of their video', async (w) => {
    const { media, file } = await videoItem(w);
    const body = { upload_name: 'a.vtt', upload_size: 10, upload_type: 'captions', encoded_from_id: file.id };
    hasStatus(await w.api.post(`${media.path}/files`, body), 201);
  });
  it('captions-unknown-source', 'encoded_from_id must be the id of a file', async (w) => {
    const body = { upload_name: 'a.srt', upload_size: 10, upload_type: 'captions', encoded_from_id: '987654321' };
    refused(await w.api.post(await filesOf(w), body));
  });
  it('captions-other-item', 'encoded_from_id must be the id of a video of the same item', async (w) => {
    const [{ file: video }, { media, file: picture }] = [await videoItem(w), await pictureItem(w)];
    for (const { id: encoded_from_id } of [video, picture]) {
      const body = { upload_name: 'a.srt', upload_size: 10, upload_type: 'captions', encoded_from_id };
      refused(await w.api.post(`${media.path}/files`, body));
    }
  });
  it('winnov-asset', 'encoded_from_id can also be given for the type winnov_asset', async (w) => {
    const { media, file } = await videoItem(w);
    const body = { upload_name: 'a.xml', upload_size: 10, upload_type: 'winnov_asset', encoded_from_id: file.id };
    hasStatus(await w.api.post(`${media.path}/files`, body), 201);
  });
  it('create-permission', 'A user who may only read an item can’t add files to it', async (w) => {
    const { api, collection } = await w.holding(['media-read']);
    const media = await w.media({ collection_id: collection.id });
    await publish(w.api, media);
    notAllowed(await api.post(`${media.path}/files`, { upload_name: 'a.mp4', upload_size: 10 }));
  });
});

const deleting = casesOf('files', (it) => {
  it('delete', 'DELETE …/files/<id> answers 204, and the file is gone', async (w) => {
    const media = await w.media();
    const file = await w.file(media);
    deleted(await w.api.delete(file.path));
    refused(await w.api.get(file.path));
    hasNot(await w.api.ids(`${media.path}/files`), file.id, 'The list');
  });
  it('delete-unknown', 'DELETE of an id that does not exist answers 204', async (w) => {
    deleted(await w.api.delete(`${(await pictureItem(w)).media.path}/files/987654321`));
  });
  it('other-item', 'A file is not found, and not deleted, under another item', async (w) => {
    const { media, picture } = await twoFiles(w);
    const path = `${(await pictureItem(w)).media.path}/files/${picture.id}`;
    refused(await w.api.get(path));
    refused(await w.api.get(`${path}/content`));
    deleted(await w.api.delete(path));
    await w.api.read(`${media.path}/files/${picture.id}`);
  });
  it('delete-encodings', 'Deleting a file deletes its encodings', async (w) => {
    const media = await w.media();
    const file = await w.uploaded(media, { name: 'p.png', bytes: png(), type: 'image' });
    const { encodings } = await w.api.read(file.path);
    deleted(await w.api.delete(file.path));
    is.isList(encodings, 'encodings');
    for (const each of encodings) refused(await w.api.get(`${media.path}/files/${at(each, 'id')}`));
    equal(await w.api.ids(`${media.path}/files`), [], 'The list');
  });
  it('delete-permission', 'Deleting a file needs media-delete', async (w) => {
    const { api, collection } = await w.holding(['media-update']);
    const media = await w.media({ collection_id: collection.id });
    const file = await w.file(media);
    await publish(w.api, media);
    notAllowed(await api.delete(file.path));
    await w.api.read(file.path);
  });
  it('delete-holder', 'A holder of media-delete may delete files', async (w) => {
    const { api, collection } = await w.holding(['media-delete']);
    const media = await w.media({ collection_id: collection.id });
    const file = await w.file(media);
    await publish(w.api, media);
    deleted(await api.delete(file.path));
    refused(await w.api.get(file.path));
  });
  /** An item and a file of a user who has only media-create. */
  const own = async (w: World): Promise<{ api: World['api']; media: Made; file: Made }> => {
    const { api, collection } = await w.holding(['media-create']);
    const media = await w.media({ collection_id: collection.id }, api);
    if ((await w.api.read(media.path)).status === 'published') throw new Skip('new items are published at once here');
    return { api, media, file: await w.file(media, {}, api) };
  };
  it(
    'create-others',
    'media-create is not enough to add files to items of others, also if they are visible',
    async (w) => {
      const { api, collection } = await w.holding(['media-create', 'media-read']);
      const media = await w.media({ collection_id: collection.id });
      await publish(w.api, media);
      await api.read(media.path);
      const form = { upload_name: 'talk.mp4', upload_size: 10, upload_type: 'video' };
      notAllowed(await api.post(`${media.path}/files`, form));
      equal((await w.api.list(`${media.path}/files`)).length, 0, 'files');
    },
  );
  it('delete-own', 'A holder of media-create may delete own files while the item is not published', async (w) => {
    const { api, file } = await own(w);
    deleted(await api.delete(file.path));
    refused(await w.api.get(file.path));
  });
  it(
    'delete-own-published',
    'After the item is published, media-create is not enough to delete own files',
    async (w) => {
      const { api, media, file } = await own(w);
      await publish(w.api, media);
      notAllowed(await api.delete(file.path));
      await w.api.read(file.path);
    },
  );
});

export const fileCases: Case[] = [...listing, ...content, ...creating, ...deleting];
