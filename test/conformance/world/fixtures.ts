import type { JsonObject } from '../http/answer.ts';
import { type Made, type MadeFile, publish } from './makers.ts';
import { png, wav } from './samples.ts';
import type { World } from './world.ts';

/** Resources that many cases read and none changes, each created once per run. */

/** A published item with every field set and a complete recording of two seconds. */
export interface AudioItem {
  media: Made;
  file: MadeFile & { status: string };
  fileName: string;
  bytes: Uint8Array<ArrayBuffer>;
  title: string;
  tag: string;
}

export function audioItem(w: World): Promise<AudioItem> {
  return w.once('audio item', async () => {
    const [title, tag] = [w.name('recording'), w.tagName()];
    const media = await w.media({ title, tags: [tag], byline: 'Somebody', description: '<p>A <b>short</b> one.</p>' });
    const fileName = `${w.name('tone')}.wav`;
    const bytes = wav(2);
    const file = await w.uploaded(media, { name: fileName, bytes, type: 'audio' });
    await publish(w.api, media);
    return { media, file, fileName, bytes, title, tag };
  });
}

/** An item with a processed picture. */
export function pictureItem(w: World): Promise<{ media: Made; file: MadeFile & { status: string } }> {
  return w.once('picture item', async () => {
    const media = await w.media();
    const file = await w.uploaded(media, { name: `${w.name('picture')}.png`, bytes: png(), type: 'image' });
    return { media, file };
  });
}

/** An item with a placeholder for a video whose bytes are never sent. */
export function videoItem(w: World): Promise<{ media: Made; file: MadeFile }> {
  return w.once('video item', async () => {
    const media = await w.media();
    return { media, file: await w.file(media, { upload_type: 'video' }) };
  });
}

/** An empty collection with a description. */
export function plainCollection(w: World): Promise<Made> {
  return w.once('plain collection', () => w.collection({ description: '<p>One &amp; <b>two</b></p>' }));
}

export function podcast(w: World): Promise<Made> {
  return w.once('podcast', () => w.collection({ is_podcast: true }));
}

/** A collection with five drafts whose titles begin with the letters a to e, created in another order. */
export function fiveItems(w: World): Promise<{ collection: Made; items: Made[]; titles: string[] }> {
  return w.once('five items', async () => {
    const collection = await w.collection();
    const titles = ['c', 'a', 'e', 'b', 'd'].map((letter) => `${letter}-${w.name('item')}`);
    const items: Made[] = [];
    for (const title of titles) items.push(await w.media({ title, collection_id: collection.id }));
    return { collection, items, titles };
  });
}

/** Returns a resource as the server returns it; it is created and read once for each key. */
export function shown(w: World, made: () => Promise<{ path: string }>, key: string): Promise<JsonObject> {
  return w.once(`shown ${key}`, async () => w.api.read((await made()).path));
}
