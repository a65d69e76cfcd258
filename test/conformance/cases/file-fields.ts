import { at, type JsonObject } from '../http/answer.ts';
import { upload } from '../http/upload.ts';
import { type Case, casesOf } from '../suite/case.ts';
import * as is from '../suite/expect.ts';
import { check, equal } from '../suite/expect.ts';
import { Skip } from '../suite/failure.ts';
import { fieldCases } from '../suite/field-cases.ts';
import { audioItem, shown, videoItem } from '../world/fixtures.ts';
import { finalStatus } from '../world/makers.ts';
import { dfxp, pdf, png, srt, utf8, vtt, wav } from '../world/samples.ts';
import type { World } from '../world/world.ts';

const original = (w: World) => shown(w, async () => (await audioItem(w)).file, 'file');

/** Returns an encoding of the recording; throws a `Skip` if this server creates none. */
async function encoding(w: World): Promise<JsonObject> {
  const { encodings } = await original(w);
  const [first] = Array.isArray(encodings) ? encodings : [];
  if (first === undefined) throw new Skip('this server makes no encodings of a short recording');
  return first as JsonObject;
}

const TYPES = ['video', 'audio', 'doc', 'image', 'blob', 'captions'];
const STATUSES = ['uploading', 'processing', 'complete', 'error', 'aborted'];

const fieldsOfFiles = casesOf('file-fields', (it) => {
  fieldCases(it, 'a media file', original, {
    id: is.filled,
    source: is.filled,
    type: is.oneOf(...TYPES),
    container: is.filled,
    status: is.oneOf(...STATUSES),
    encoding_profile: [is.nothing, 'this is an original'],
    display_name: is.filled,
    created_on: is.timestamp,
    modified_on: is.timestamp,
    height: is.orNull(is.integer),
    width: is.orNull(is.integer),
    max_bitrate: is.orNull(is.integer),
    size: [is.integer, 'bytes'],
    duration: [is.orNull(is.integer), 'seconds'],
    duration_hms: is.orNull(is.hms),
    encodings: [is.arrayOf(is.object), 'derived files'],
    links: is.object,
    'links.self': is.path,
    'links.content': is.path,
    'links.parent': [is.nothing, 'this is an original'],
    'links.media': is.path,
  });

  it('source-upload', 'source of an uploaded original is upload', async (w) => {
    equal((await original(w)).source, 'upload', 'source');
  });
  it('display-name-given', 'display_name is set from upload_name', async (w) => {
    equal((await original(w)).display_name, (await audioItem(w)).fileName, 'display_name');
  });
  it('size-bytes', 'size is the number of bytes', async (w) => {
    equal((await original(w)).size, (await audioItem(w)).bytes.length, 'size');
  });
  it('media-link', 'links.media leads to the media item', async (w) => {
    const path = w.site.pathOf(String(at(await original(w), 'links.media')));
    equal((await w.api.read(path)).id, (await audioItem(w)).media.id, 'id of the media item');
  });
  it('self-link', 'links.self leads to the file itself', async (w) => {
    const file = await original(w);
    equal((await w.api.read(w.site.pathOf(String(at(file, 'links.self'))))).id, file.id, 'id');
  });
  it('encoding-source', 'source of a derived encoding is encoding', async (w) => {
    equal((await encoding(w)).source, 'encoding', 'source');
  });
  it('encoding-null', 'encodings of an encoding itself is null', async (w) => {
    equal((await encoding(w)).encodings, null, 'encodings');
  });
  it('encoding-parent', 'links.parent of an encoding leads to the original', async (w) => {
    const parent = at(await encoding(w), 'links.parent');
    is.isString(parent, 'links.parent');
    equal((await w.api.read(w.site.pathOf(parent))).id, (await original(w)).id, 'id of the parent');
  });
});

const SAMPLES = {
  audio: { name: 'a.wav', make: () => wav(1) },
  doc: { name: 'd.pdf', make: pdf },
  image: { name: 'i.png', make: () => png() },
  blob: { name: 'b.bin', make: () => utf8('nothing that can be played') },
} as const;

const CAPTIONS = {
  srt: ['SRT', srt],
  vtt: ['WebVTT', vtt],
  dfxp: ['DFXP', dfxp],
  xml: ['XML', dfxp],
} as const;

const typesOfFiles = casesOf('file-types', (it) => {
  for (const type of ['video', 'audio', 'doc', 'image', 'blob'] as const) {
    it(type, `A file can be of type ${type}`, async (w) => {
      const file = await w.file(await w.media(), { upload_name: `some-${type}.mp4`, upload_type: type });
      equal((await w.api.read(file.path)).type, type, 'type');
    });
  }
  it('captions', 'A file can be of type captions, with encoded_from_id naming its video', async (w) => {
    const { media, file } = await videoItem(w);
    const captions = { upload_name: 'c.srt', upload_type: 'captions', encoded_from_id: file.id };
    equal((await w.api.read((await w.file(media, captions)).path)).type, 'captions', 'type');
  });
  for (const [type, { name, make }] of Object.entries(SAMPLES)) {
    it(`${type}-complete`, `A valid file of type ${type} (${name}) becomes complete`, async (w) => {
      const file = await w.uploaded(await w.media(), { name, bytes: make(), type });
      equal(file.status, 'complete', 'status');
    });
  }
  for (const [extension, [words, make]] of Object.entries(CAPTIONS)) {
    it(`captions-${extension}-complete`, `Captions as ${words} become complete`, async (w) => {
      const { media, file } = await videoItem(w);
      const [bytes, upload_name] = [make(), `c.${extension}`];
      const fields = { upload_name, upload_size: bytes.length, upload_type: 'captions', encoded_from_id: file.id };
      const made = await w.file(media, fields);
      await upload(w.site, made.descriptor, upload_name, bytes);
      equal(await finalStatus(w.api, made.path), 'complete', 'status');
    });
  }
  it('blob-unprocessed', 'A blob becomes complete without encodings, whatever it contains', async (w) => {
    const bytes = utf8('\u0000\u0001 not a film');
    const file = await w.uploaded(await w.media(), { name: 'film.mp4', bytes, type: 'blob' });
    equal(file.status, 'complete', 'status');
    equal((await w.api.read(file.path)).encodings, [], 'encodings');
  });
});

const descriptors = casesOf('upload-descriptor', (it) => {
  const file = (w: World) => w.once('descriptor', async () => (await videoItem(w)).file.answer.object());
  const form = 'upload.protocols.form_data';
  fieldCases(it, 'a file’s creation', file, {
    upload: is.object,
    'upload.protocols': is.object,
    [form]: is.object,
    [`${form}.upload_url`]: is.filled,
    [`${form}.upload_file_param`]: [is.filled, 'name of the field that carries the file'],
    [`${form}.upload_post_params`]: [is.object, 'extra form fields'],
  });
  it('postprocess-url', 'postprocess_url, if there is one, is an absolute URL', async (w) => {
    const url = at(await file(w), `${form}.postprocess_url`);
    check(url === undefined || (typeof url === 'string' && URL.canParse(url)), `postprocess_url is ${is.show(url)}.`);
  });
  it('only-at-creation', 'upload is in the response to the creation only', async (w) => {
    const { media, file: made } = await videoItem(w);
    check(!('upload' in (await w.api.read(made.path))), 'The file has upload when it is read.');
    const listed = await w.api.list(`${media.path}/files`);
    check(!listed.some((each) => 'upload' in each), 'The file has upload in the list.');
  });
  it('no-token', 'The upload destination takes the form without a bearer token', async (w) => {
    const bytes = png();
    const made = await w.file(await w.media(), { upload_name: 'p.png', upload_size: bytes.length });
    await upload(w.site, made.descriptor, 'p.png', bytes);
    equal(await finalStatus(w.api, made.path), 'complete', 'status');
  });
});

export const fileFieldCases: Case[] = [...fieldsOfFiles, ...typesOfFiles, ...descriptors];
