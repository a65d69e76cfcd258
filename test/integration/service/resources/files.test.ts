import { describe, expect, test } from 'vitest';
import { clientFor } from '../../../helpers/service/service-client.ts';
import { serviceOfFile } from '../../../helpers/service/service-of-file.ts';
import { mp4, png, srt } from '../../../helpers/service/service-samples.ts';

const service = await serviceOfFile({ env: { ...process.env, PATH: '/nowhere' } });
const admin = await clientFor(service);
const item = await admin.createItem('Files');

const create = (fields: Record<string, unknown>) =>
  admin.post(`${item}/files`, { upload_name: 'a.wav', upload_size: 10, ...fields });

describe('a new file', () => {
  test('is an original with its container, and has no encodings', async () => {
    expect((await create({})).body).toMatchObject({ source: 'upload', container: 'wav', encodings: [], size: 10 });
  });

  test.each([
    ['A.MOV', 'video'],
    ['a.b.mp3', 'audio'],
    ['a.jpeg', 'image'],
    ['a.docx', 'blob'],
    ['a', 'blob'],
    ['mp4', 'blob'],
    ['.mp4', 'video'],
  ])('with the name %s gets the type %s', async (upload_name, type) => {
    expect((await create({ upload_name })).body.type).toBe(type);
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
