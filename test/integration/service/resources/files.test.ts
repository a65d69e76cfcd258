import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { clientFor, type ServiceClient } from '../../../helpers/service/service-client.ts';
import { type ServiceProcess, startService } from '../../../helpers/service/service-process.ts';
import { mp4, png, srt } from '../../../helpers/service/service-samples.ts';

let service: ServiceProcess;
let admin: ServiceClient;
let item: string;
beforeAll(async () => {
  service = await startService({ env: { ...process.env, PATH: '/nowhere' } });
  admin = await clientFor(service);
  item = await admin.createItem('Files');
});
afterAll(() => service.stop());

const create = (fields: Record<string, unknown>) =>
  admin.post(`${item}/files`, { upload_name: 'a.wav', upload_size: 10, ...fields });

describe('a new file', () => {
  test('is a placeholder with a Location and an upload descriptor', async () => {
    const answer = await create({});
    expect(answer.status).toBe(201);
    expect((await admin.get(answer.location)).body).toEqual({ ...answer.body, upload: undefined });
    expect(answer.body).toMatchObject({
      source: 'upload',
      type: 'audio',
      container: 'wav',
      status: 'uploading',
      encoding_profile: null,
      display_name: 'a.wav',
      height: null,
      width: null,
      max_bitrate: null,
      size: 10,
      duration: null,
      duration_hms: null,
      encodings: [],
      links: { self: answer.location, content: `${answer.location}/content`, parent: null, media: item },
      upload: {
        protocols: {
          form_data: {
            upload_url: expect.stringMatching(/^http/),
            upload_file_param: 'file',
            upload_post_params: expect.any(Object),
            postprocess_url: expect.stringMatching(/^http/),
          },
        },
      },
    });
  });

  test.each([
    ['a.mp4', 'video'],
    ['A.MOV', 'video'],
    ['a.b.mp3', 'audio'],
    ['a.pdf', 'doc'],
    ['a.jpeg', 'image'],
    ['a.docx', 'blob'],
    ['a', 'blob'],
    ['mp4', 'blob'],
    ['.mp4', 'video'],
  ])('with the name %s gets the type %s', async (upload_name, type) => {
    expect((await create({ upload_name })).body.type).toBe(type);
  });

  test('has the given type', async () => {
    expect((await create({ upload_name: 'a.mp4', upload_type: 'blob' })).body.type).toBe('blob');
    expect((await create({ upload_type: 'winnov_asset' })).body.type).toBe('winnov_asset');
  });

  test.each([
    [{ upload_name: undefined }, 'upload_name'],
    [{ upload_name: '' }, 'upload_name'],
    [{ upload_name: 'a\nb.wav' }, 'upload_name'],
    [{ upload_size: undefined }, 'upload_size'],
    [{ upload_size: -1 }, 'upload_size'],
    [{ upload_size: 1.5 }, 'upload_size'],
    [{ upload_size: '10' }, 'upload_size'],
    [{ upload_size: 1e300 }, 'upload_size'],
    [{ upload_size: 2 ** 50 }, 'upload_size'],
    [{ upload_type: 'film' }, 'upload_type'],
    [{ upload_type: 'captions' }, 'encoded_from_id'],
    [{ upload_name: 'a.srt' }, 'encoded_from_id'],
    [{ upload_name: 'a.srt', encoded_from_id: '99999' }, 'encoded_from_id'],
    [{ encoded_from_id: '1' }, 'encoded_from_id'],
    [{ embed_url: 'javascript:alert(1)' }, 'embed_url'],
    [{ embed_url: 'nonsense' }, 'embed_url'],
  ])('is refused with 422 for %j, with the field %s', async (fields, field) => {
    const answer = await create(fields);
    expect([answer.status, answer.body.errors?.[0]?.field]).toEqual([422, field]);
  });

  test('of type captions belongs to a video of the same item only', async () => {
    const video = (await create({ upload_name: 'v.mp4' })).body.id;
    const image = (await create({ upload_name: 'p.png' })).body.id;
    const elsewhere = await admin.createItem('Elsewhere');
    const captions = { upload_name: 'v.vtt', upload_size: 1 };
    expect((await create({ ...captions, encoded_from_id: video })).status).toBe(201);
    expect((await create({ ...captions, encoded_from_id: image })).status).toBe(422);
    expect((await admin.post(`${elsewhere}/files`, { ...captions, encoded_from_id: video })).status).toBe(422);
  });

  test('with embed_url is complete at once, and its content redirects there', async () => {
    const { body, location } = await create({
      embed_url: 'https://videos.example/1',
      upload_size: 0,
      upload_name: 'v.mp4',
    });
    expect(body).toMatchObject({ status: 'complete', source: 'embed', type: 'video' });
    expect(body).not.toHaveProperty('upload');
    const content = await admin.get(`${location}/content`);
    expect([content.status, content.headers.get('location')]).toEqual([302, 'https://videos.example/1']);
  });

  test.each([
    ['https://videos.example/ü/€?q=a b', 'https://videos.example/%C3%BC/%E2%82%AC?q=a%20b'],
    ['https://bücher.example', 'https://xn--bcher-kva.example/'],
  ])('with the embed_url %s redirects to a URL that is valid in a header', async (embed_url, sent) => {
    const { location } = await create({ embed_url, upload_size: 0, upload_name: 'v.mp4' });
    const content = await admin.get(`${location}/content`);
    expect([content.status, content.headers.get('location')]).toEqual([302, sent]);
    expect((await admin.get(`${location}/content?json=1`)).body).toEqual({ location: sent });
  });

  test.each([
    'https://videos.example/\r\nX-Injected: 1',
    'https://videos.example/\t',
    ' ',
    'javascript:alert(1)',
    'ftp://x/',
    7,
    'https://videos.example/\r\nset-cookie: a=b',
    '\thttps://videos.example/1',
  ])('with the embed_url %j is refused', async (embed_url) => {
    expect((await create({ embed_url, upload_size: 0, upload_name: 'v.mp4' })).status).toBe(422);
  });
});

describe('the list of files', () => {
  test('filters by type and status', async () => {
    const own = await admin.createItem('Listed');
    const done = await admin.upload(own, 'p.png', png());
    await admin.processed(done);
    await admin.post(`${own}/files`, { upload_name: 'a.wav', upload_size: 1 });
    const names = async (query: string) =>
      (await admin.get(`${own}/files${query}`)).body.items.map((file: { display_name: string }) => file.display_name);
    expect(await names('')).toEqual(['p.png', 'a.wav']);
    expect(await names('?type=image')).toEqual(['p.png']);
    expect(await names('?status=uploading')).toEqual(['a.wav']);
    expect(await names('?type=image&status=uploading')).toEqual([]);
    expect((await admin.get(`${own}/files?type=film`)).status).toBe(422);
    expect((await admin.get(`${own}/files?status=done`)).status).toBe(422);
  });

  test('belongs to one item: under another item, its files are 404 and are not deleted', async () => {
    const { body } = await create({});
    const elsewhere = await admin.createItem('Not here');
    expect((await admin.get(`${elsewhere}/files/${body.id}`)).status).toBe(404);
    expect((await admin.delete(`${elsewhere}/files/${body.id}`)).status).toBe(204);
    expect((await admin.get(`${item}/files/${body.id}`)).status).toBe(200);
  });
});

describe('deleting a file', () => {
  test('deletes its encodings, and answers the same when repeated', async () => {
    const own = await admin.createItem('Deleting');
    const video = await admin.upload(own, 'v.mp4', mp4());
    const captions = await admin.upload(own, 'v.srt', Buffer.from(srt), { encoded_from_id: video.split('/').at(-1) });
    const encoding = (await admin.processed(captions)).encodings[0].links.self;
    expect((await admin.get(encoding)).status).toBe(200);
    for (let count = 0; count < 2; count += 1) expect((await admin.delete(captions)).status).toBe(204);
    expect((await admin.get(encoding)).status).toBe(404);
    expect((await admin.get(video)).status).toBe(200);
  });

  test('is allowed for its creator within three hours if the item is a draft', async () => {
    const producer = await clientFor(service, 'producer');
    const own = await producer.createItem('Mine');
    const file = await producer.upload(own, 'p.png', png());
    const kept = await producer.upload(own, 'q.png', png());
    expect((await producer.delete(file)).status).toBe(204);
    await producer.post(`${own}/publish`);
    expect((await producer.delete(kept)).status).toBe(403);
  });
});

describe('thumbnails', () => {
  test('are uploaded like files and exist at once, for items, collections and users', async () => {
    for (const path of [item, '/api2/collections/1', '/api2/users/1']) {
      const bytes = png(32, 20);
      const answer = await admin.post(`${path}/thumbs`, { upload_name: 't.png', upload_size: bytes.length });
      expect(answer.status).toBe(200);
      const { form_data } = answer.body.upload.protocols;
      const form = new FormData();
      for (const [name, value] of Object.entries(form_data.upload_post_params)) form.set(name, value as string);
      form.set(form_data.upload_file_param, new File([new Uint8Array(bytes)], 't.png'));
      expect((await fetch(form_data.upload_url, { method: 'POST', body: form })).status).toBe(204);
      const { items } = (await admin.get(`${path}/thumbs`)).body;
      expect(items[0]).toMatchObject({ width: 32, height: 20 });
      expect((await fetch(items[0].content_url)).headers.get('content-type')).toBe('image/png');
    }
  });

  test.each([
    ['they are no picture', Buffer.alloc(100, 7)],
    ['they have more pixels than pictures in the media may have', pngOfSize(17_000, 16_000)],
    ['one edge is longer than 65,535 pixels', pngOfSize(70_000, 2)],
  ])('are refused when %s', async (_when, bytes) => {
    const answer = await admin.post(`${item}/thumbs`, { upload_name: 't.png', upload_size: bytes.length });
    const { form_data } = answer.body.upload.protocols;
    const form = new FormData();
    for (const [name, value] of Object.entries(form_data.upload_post_params)) form.set(name, value as string);
    form.set('file', new File([new Uint8Array(bytes)], 't.png'));
    expect((await fetch(form_data.upload_url, { method: 'POST', body: form })).status).toBe(400);
  });
});

/** A PNG whose header claims this size; its pixels are those of a small one. */
function pngOfSize(width: number, height: number): Buffer {
  const bytes = png(32, 20);
  bytes.writeUInt32BE(width, 16);
  bytes.writeUInt32BE(height, 20);
  return bytes;
}
