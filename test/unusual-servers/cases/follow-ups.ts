import type { Behavior } from '../server/behavior.ts';
import { html, json, jsonOf, type Reply, reply } from '../server/wire.ts';
import { casesOf, type LocalFile } from '../suite/case.ts';
import type { Outcome } from '../suite/outcome.ts';
import { instead, insteadOfFirst, lost, on, onFirst, onJson } from './parts.ts';

const FILES: readonly LocalFile[] = [
  { name: 'Lecture.mp4', bytes: 3_000 },
  { name: 'Lecture.en.vtt', bytes: 700, goesAlong: true },
  { name: 'Lecture.jpg', bytes: 900, goesAlong: true },
];
const TAGS = { tags: ['Physics', 'Optics  II'] };

/**
 * Checks that captions, thumbnail and tags are in the library once. `lacks`: the part that the library refuses, which the row
 * shows.
 */
const complete =
  (lacks: readonly string[] = []) =>
  ({ rows, library }: Outcome): string | undefined => {
    const [row] = rows;
    const [item] = library.items;
    const isWanted = ({ kind, state }: { kind: string; state: string }) =>
      state === (lacks.includes(kind) ? 'failed' : 'done');
    const other = row?.followUps.find((followUp) => !isWanted(followUp));
    if (other !== undefined) return `${other.kind} is ${other.state}: ${JSON.stringify(other.error)}`;
    const captions = item?.files.filter(({ encodedFromId, sha256 }) => encodedFromId !== null && sha256 !== null) ?? [];
    if (captions.length !== (lacks.includes('captions') ? 0 : 1)) return `${captions.length} captions are there.`;
    if (captions.some(({ encodedFromId }) => encodedFromId !== row?.fileId))
      return 'The captions belong to another file.';
    const thumbs = new Set(item?.thumbs.map(({ sha256 }) => sha256));
    if (thumbs.size !== (lacks.includes('thumbnail') ? 0 : 1)) return `${thumbs.size} thumbnails are there.`;
    return undefined;
  };
const whole = (more: object = {}) => ({
  files: FILES,
  batch: TAGS,
  expect: { forms: 3, requests: 60, ...more, also: complete() },
});
const without = (...lacks: string[]) => ({
  files: FILES,
  batch: TAGS,
  expect: { forms: 3, requests: 60, also: complete(lacks) },
});
const isCaptions = (request: { body: Buffer; route: string }) =>
  request.route === 'create-file' && request.body.includes('encoded_from_id');
/** Limits a behavior to captions: the usual parts with a check before them. */
const forCaptions = (behavior: Behavior): Behavior => ({
  instead: (request, world) => (isCaptions(request) ? behavior.instead?.(request, world) : undefined),
  change: (own, request, world) => (isCaptions(request) ? behavior.change?.(own, request, world) : undefined),
});
const refusesCaptions = (answer: Reply): Behavior => ({
  instead: (request) => (isCaptions(request) ? answer : undefined),
});

export const FOLLOW_UPS = casesOf('follow-ups', (it) => {
  it('usual', 'accepts captions, a thumbnail and tags', {}, whole());
  it(
    'needs-source',
    'requires encoded_from_id as text',
    {
      instead: (request) => {
        const given = jsonOf(request) as { upload_type?: string; encoded_from_id?: unknown } | undefined;
        return request.route === 'create-file' &&
          given?.upload_type === 'captions' &&
          typeof given.encoded_from_id !== 'string'
          ? json(422, { message: 'encoded_from_id is missing.' })
          : undefined;
      },
    },
    whole(),
  );
  it(
    'captions-409',
    'answers 409 to captions',
    refusesCaptions(json(409, { message: 'There are captions already.' })),
    without('captions'),
  );
  it('captions-404', 'answers 404 to captions', refusesCaptions(html(404, 'Not Found')), without('captions'));
  it(
    'captions-422',
    'answers 422 to captions',
    refusesCaptions(json(422, { message: 'Unknown type.' })),
    without('captions'),
  );
  it('captions-lost', 'loses the reply to captions', forCaptions(onFirst('create-file', lost('reset'))), whole());
  it(
    'captions-500',
    'makes captions and answers 500',
    forCaptions(onFirst('create-file', () => html(500, 'Oops'))),
    whole(),
  );
  it(
    'captions-renamed',
    'renames captions and loses the reply to their creation',
    {
      ...forCaptions(onFirst('create-file', lost('reset'))),
      instead: (request, { library }) => {
        if (request.route === 'list-files' || request.route === 'file') {
          const item = library.item(request.ids[0]);
          for (const file of item?.files ?? []) if (file.encodedFromId !== null) file.name = 'captions (1).vtt';
        }
        return undefined;
      },
    },
    whole(),
  );
  it(
    'captions-location-missing',
    'gives no Location for captions',
    forCaptions(on('create-file', (own) => ({ ...own, headers: [] }))),
    whole(),
  );
  it(
    'captions-200',
    'answers 200 to the creation of captions',
    forCaptions(on('create-file', (own) => ({ ...own, status: 200 }))),
    whole(),
  );
  it(
    'captions-slow',
    'processes captions for a minute',
    { library: { processingMs: 60_000 } },
    whole({ requests: 400 }),
  );
  it(
    'thumb-missing',
    'answers 404 to thumbnails',
    instead('create-thumb', () => html(404, 'Not Found')),
    without('thumbnail'),
  );
  it(
    'thumb-405',
    'answers 405 to thumbnails',
    instead('create-thumb', () => reply(405)),
    without('thumbnail'),
  );
  it(
    'thumb-403',
    'answers 403 to thumbnails',
    instead('create-thumb', () => json(403, { message: 'Not allowed.' })),
    without('thumbnail'),
  );
  it(
    'thumb-201',
    'answers 201 to a thumbnail',
    on('create-thumb', (own) => ({ ...own, status: 201, headers: [...own.headers, ['Location', '/api2/thumbs/1']] })),
    whole(),
  );
  it(
    'thumb-lost',
    'loses the reply to the creation of a thumbnail',
    onFirst('create-thumb', lost('close')),
    whole({ forms: 4 }),
  );
  it(
    'thumb-500',
    'answers 500 once to a thumbnail',
    insteadOfFirst('create-thumb', () => html(500, 'Oops')),
    whole(),
  );
  it(
    'thumb-extra',
    'adds other fields to the descriptor of a thumbnail',
    onJson('create-thumb', (given) => ({ id: 3, ...given, sizes: [64, 256] })),
    whole(),
  );
  it(
    'thumb-postprocess',
    'requires a notification for a thumbnail',
    {
      change: (own, { route }, { origins }) => {
        if (route !== 'create-thumb' || own.status !== 200) return undefined;
        const value = JSON.parse(own.body.toString());
        value.upload.protocols.form_data.postprocess_url = `${origins.store}/notify/thumb`;
        return { ...own, body: JSON.stringify(value) };
      },
      instead: ({ route, ids }) => (route === 'notify' && ids[0] === 'thumb' ? reply(204) : undefined),
    },
    whole(),
  );
  it(
    'tags-tidied',
    'changes the case and the blanks of tags',
    on(['item', 'list-items', 'create-item'], (own) => ({
      ...own,
      body: own.body.toString().replace('Optics  II', 'optics ii').replace('Physics', 'PHYSICS'),
    })),
    whole(),
  );
  it(
    'tags-later',
    'ignores tags in the creation of an item',
    {
      instead: (request) => {
        if (request.route === 'create-item')
          request.body = Buffer.from(JSON.stringify({ ...(jsonOf(request) as object), tags: [] }));
        return undefined;
      },
    },
    whole(),
  );
  it(
    'tags-refused',
    'ignores tags in the creation of an item, and refuses to add them later',
    {
      instead: (request) => {
        if (request.route === 'create-item')
          request.body = Buffer.from(JSON.stringify({ ...(jsonOf(request) as object), tags: [] }));
        return request.route === 'add-tags' ? json(403, { message: 'Not allowed.' }) : undefined;
      },
    },
    without('tags'),
  );
  it(
    'tags-null',
    'shows null as the tags',
    onJson(['item', 'create-item'], (item) => ({ ...item, tags: null })),
    without('tags'),
  );
});
