import { writeFile } from 'node:fs/promises';
import type { Store } from '../database/store.ts';
import { slugify } from '../resources/collections/slug.ts';
import { indexMedia, setTags } from '../resources/media/media-tags.ts';
import type { Blobs } from '../storage/blobs.ts';
import type { Scratch } from '../storage/scratch.ts';
import { blendPng, pagePdf, toneWav } from './demo-bytes.ts';
import { DEMO_LIBRARY, type DemoCollection } from './demo-library.ts';

/** A stored file that is assigned to one of the first items of its type. */
export interface DemoFile {
  type: 'audio' | 'image' | 'doc';
  container: string;
  storedName: string;
  sizeBytes: number;
  width: number | null;
  height: number | null;
  /** Seconds. */
  duration: number | null;
}

const ROOT_ID = 1;
const TERMS = ['Winter term', 'Summer term'];
const DAY_S = 86_400;

/** Creates a dozen small real files. */
export async function makeDemoFiles({ blobs, scratch }: { blobs: Blobs; scratch: Scratch }): Promise<DemoFile[]> {
  const sounds = [262, 330, 392, 440].map((hertz, index) => ({
    type: 'audio' as const,
    container: 'wav',
    bytes: toneWav(index + 2, hertz),
    width: null,
    height: null,
    duration: index + 2,
  }));
  const pictures = [
    blendPng(320, 180, [28, 64, 120], [240, 170, 90]),
    blendPng(320, 180, [20, 90, 80], [220, 230, 170]),
    blendPng(240, 240, [90, 30, 90], [250, 190, 200]),
    blendPng(240, 320, [60, 60, 70], [210, 215, 225]),
  ].map((bytes) => ({
    type: 'image' as const,
    container: 'png',
    bytes,
    width: bytes.readUInt32BE(16),
    height: bytes.readUInt32BE(20),
    duration: null,
  }));
  const pages = ['Pendulum', 'Focal Lengths', 'Specific Heat', 'Oscilloscope Basics'].map((topic) => ({
    type: 'doc' as const,
    container: 'pdf',
    bytes: pagePdf(topic, [
      'What you need',
      '1. Set up the apparatus as in the drawing.',
      '2. Take ten readings.',
      '3. Note the errors.',
    ]),
    width: null,
    height: null,
    duration: null,
  }));
  return Promise.all(
    [...sounds, ...pictures, ...pages].map(async ({ bytes, ...known }) => {
      const path = scratch.path();
      await writeFile(path, bytes, { mode: 0o600 });
      return { ...known, sizeBytes: bytes.length, storedName: await blobs.put(path) };
    }),
  );
}

/** Fills the demo library: always the same collections and items, with dates that end today. */
export async function seedDemo(store: Store, files: readonly DemoFile[], nowOn: number): Promise<void> {
  const random = mulberry32(20_260_101);
  const spare = [...files];
  const today = nowOn - (nowOn % DAY_S);

  async function addCollection(collection: DemoCollection, parentId: number): Promise<void> {
    const id = await store.insert(
      `INSERT INTO collections (parent_id, slug, display_name, description, description_plain, inherit_memberships,
         is_podcast, autotranscribe_enabled, autotranscribe_subcollections, created_on, modified_on)
       VALUES (?, ?, ?, ?, ?, ?, ?, 0, 0, ?, ?) RETURNING id`,
      parentId,
      slugify(collection.name),
      collection.name,
      `<p>${collection.name}: recordings and material.</p>`,
      `${collection.name}: recordings and material.`,
      Number(!collection.closed),
      Number(collection.podcast ?? false),
      today - 700 * DAY_S,
      today - 30 * DAY_S,
    );
    if (collection.podcast) {
      await store.run(
        `INSERT INTO podcast_details (collection_id, directory_author_name, directory_author_email, directory_subtitle,
           directory_explicit, directory_category, copyright) VALUES (?, ?, ?, ?, 'no', 'Education', ?)`,
        id,
        collection.by?.[0] ?? null,
        'podcast@library.example',
        `All episodes of ${collection.name}`,
        'CC BY 4.0',
      );
    }
    const topics = collection.topics?.split('; ') ?? [];
    const items = topics.flatMap((topic, index) =>
      TERMS.map((term, round) => ({ topic, term, place: index + 1 + round * topics.length })),
    );
    for (const item of items.sort((a, b) => a.place - b.place)) await addItem(collection, id, item, items.length);
    for (const inner of collection.inside ?? []) await addCollection(inner, id);
  }

  /**
   * Returns the state and date of an item by `roll`, from 0 to 1. It is random for the two newest items of a collection, which
   * may be scheduled or drafts, and 1 for all others, which are published.
   */
  function publication(roll: number, createdOn: number): { status: string; publishOn: number | null } {
    if (roll < 0.35) {
      return { status: 'scheduled', publishOn: today + (2 + Math.floor(random() * 20)) * DAY_S + 32_400 };
    }
    if (roll < 0.75) return { status: 'draft', publishOn: null };
    return { status: 'published', publishOn: createdOn + 3600 };
  }

  /** Returns the seconds for an item without a file; 0 for a type that does not play. */
  function inventedDuration(type: string | undefined): number {
    return type === 'video' || type === 'audio' ? 240 + Math.floor(random() * 5200) : 0;
  }

  async function addItem(
    collection: DemoCollection,
    collectionId: number,
    item: { topic: string; term: string; place: number },
    of: number,
  ): Promise<void> {
    const { topic, term, place } = item;
    const numbered = (collection.title ?? '@').replace('#', String(place).padStart(2, '0')).replace('@', topic);
    const repeats = place > of / 2 && !(collection.title ?? '').includes('#');
    const title = repeats ? `${numbered} (${term})` : numbered;
    const createdOn =
      today - Math.round((of - place) * (600 / of)) * DAY_S - DAY_S + Math.floor(random() * 40_000) + 28_000;
    const { status, publishOn } = publication(place > of - 2 ? random() : 1, createdOn);
    const file = takeFile(spare, collection.type);
    const text = `${topic}, recorded for ${collection.name} in the ${term.toLowerCase()}.`;
    const views = status === 'published' ? Math.floor(random() ** 3 * 4000) : 0;
    const duration = file ? (file.duration ?? 0) : inventedDuration(collection.type);
    const id = await store.insert(
      `INSERT INTO media (collection_id, type, status, title, byline, description, description_plain, duration, publish_on,
         created_on, modified_on, created_by, comments_count, likes_count, views_count)
       VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, 1, ?, ?, ?) RETURNING id`,
      collectionId,
      collection.type ?? null,
      status,
      title,
      collection.by?.[place % collection.by.length] ?? null,
      `<p>${text}</p>`,
      text,
      duration,
      publishOn,
      createdOn,
      // The newest items were created by 18:53 yesterday: none of them was changed in the future.
      createdOn + Math.floor(random() * 18_000),
      Math.floor(views / 300),
      Math.floor(views / 40),
      views,
    );
    await setTags(store, id, [...(collection.tags ?? []), term.toLowerCase()]);
    await indexMedia(store, id);
    if (file) await addFile(store, id, title, file, createdOn);
  }

  for (const collection of DEMO_LIBRARY) await addCollection(collection, ROOT_ID);
}

function takeFile(spare: DemoFile[], type: string | undefined): DemoFile | undefined {
  const index = spare.findIndex((file) => file.type === type);
  return index < 0 ? undefined : spare.splice(index, 1)[0];
}

async function addFile(store: Store, mediaId: number, title: string, file: DemoFile, createdOn: number): Promise<void> {
  const id = await store.insert(
    `INSERT INTO files (media_id, source, type, container, status, display_name, declared_size, size, width, height, duration,
       stored_name, created_on, modified_on, created_by, created_at, activity_at)
     VALUES (?, 'upload', ?, ?, 'complete', ?, ?, ?, ?, ?, ?, ?, ?, ?, 1, ?, ?) RETURNING id`,
    mediaId,
    file.type,
    file.container,
    `${title}.${file.container}`,
    file.sizeBytes,
    file.sizeBytes,
    file.width,
    file.height,
    file.duration,
    file.storedName,
    createdOn,
    createdOn,
    createdOn * 1000,
    createdOn * 1000,
  );
  if (file.type !== 'image') return;
  await store.run(
    `INSERT INTO thumbs (resource, resource_id, file_id, width, height, content_type, stored_name, created_on)
     VALUES ('media', ?, ?, ?, ?, 'image/png', ?, ?)`,
    mediaId,
    id,
    file.width,
    file.height,
    file.storedName,
    createdOn,
  );
}

/** Returns a small pseudo-random generator, so that the demo is always the same. */
export function mulberry32(seed: number): () => number {
  let state = seed;
  return () => {
    state = (state + 0x6d2b79f5) | 0;
    let mixed = Math.imul(state ^ (state >>> 15), 1 | state);
    mixed = (mixed + Math.imul(mixed ^ (mixed >>> 7), 61 | mixed)) ^ mixed;
    return ((mixed ^ (mixed >>> 14)) >>> 0) / 4_294_967_296;
  };
}
