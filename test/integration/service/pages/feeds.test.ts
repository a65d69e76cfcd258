// RSS feeds of podcast collections, as podcast apps read them.
import { spawnSync } from 'node:child_process';
import { beforeAll, describe, expect, test } from 'vitest';
import { clientFor, sendForm } from '../../../helpers/service/service-client.ts';
import { serviceOfFile } from '../../../helpers/service/service-of-file.ts';
import { make } from '../../../helpers/service/service-people.ts';
import { png, wav } from '../../../helpers/service/service-samples.ts';

/** Texts that would end an element, an attribute or a section, and characters that XML can't contain. */
const HOSTILE = 'A & B <i>"\'</i> ]]> <?x?> \u0085\uFFFE\u200F é 🎙';

const service = await serviceOfFile();
const admin = await clientFor(service);
let slug: string;
let podcast: string;
let episode: string;

beforeAll(async () => {
  await service.control('PATCH', '/settings', { podcast_feeds: true });
  ({ slug, id: podcast } = await collection({ display_name: HOSTILE, is_podcast: true }));
  await visibleToVisitors(podcast, ['collection-read', 'media-read', 'media-play']);
  await admin.post(`/api2/collections/${podcast}/podcast-details`, {
    directory_author_name: HOSTILE,
    directory_author_email: 'host@library.example',
    directory_explicit: 'clean',
    directory_category: 'Education > Courses',
    copyright: '© The library',
  });
  episode = await published('First');
});

async function collection(fields: Record<string, unknown>) {
  return (await admin.post('/api2/collections', { parent_id: '1', inherit_memberships: false, ...fields })).body;
}

async function visibleToVisitors(collection_id: string, permissions: string[]): Promise<void> {
  const role = await make(admin, 'roles', { display_name: `For ${collection_id}`, permissions });
  const group = (await admin.get('/api2/groups/public')).body.id;
  await make(admin, 'memberships', { collection_id, group_id: group, role_id: role.id });
}

/** Creates a published item with a recording in the podcast, and returns its path. */
async function published(
  title: string,
  fields: { publish_on?: string } = {},
  collection_id = podcast,
): Promise<string> {
  const { body } = await admin.post('/api2/media', {
    collection_id,
    title,
    description: `<p>About ${title} &amp; more</p>`,
    tags: ['history', 'x & y'],
  });
  const path = `/api2/media/${body.id}`;
  await admin.processed(await admin.upload(path, 'talk.wav', wav(1)));
  await admin.post(`${path}/publish`, fields);
  return path;
}

const get = (path: string, headers: Record<string, string> = {}) =>
  fetch(`${service.baseUrl}${path}`, { headers, redirect: 'manual' });
const feed = async (of = slug) => (await get(`/feeds/${of}`)).text();

const PARSE = `
import json, sys, xml.etree.ElementTree as tree
def of(node):
    return {'tag': node.tag, 'text': node.text, 'attributes': node.attrib, 'children': [of(each) for each in node]}
print(json.dumps(of(tree.fromstring(sys.stdin.buffer.read()))))`;

interface XmlNode {
  tag: string;
  text: string | null;
  attributes: Record<string, string>;
  children: XmlNode[];
}

const hasPython = spawnSync('python3', ['-c', '']).status === 0;

/** Reads XML by the parser of another program. */
function parsed(xml: string): XmlNode {
  const { stdout, stderr, status } = spawnSync('python3', ['-c', PARSE], { input: xml, encoding: 'utf8' });
  if (status !== 0) throw new Error(stderr);
  return JSON.parse(stdout);
}

const ITUNES = '{http://www.itunes.com/dtds/podcast-1.0.dtd}';
const child = (node: XmlNode | undefined, tag: string) => node?.children.find((each) => each.tag === tag);

describe('the feed of a podcast', () => {
  test.skipIf(!hasPython)('is XML that another parser reads, with all texts as they are', async () => {
    const [channel] = parsed(await feed()).children;
    const readable = HOSTILE.replace('\uFFFE', '');
    expect(child(channel, 'title')?.text).toBe(readable);
    expect(child(channel, `${ITUNES}author`)?.text).toBe(readable);
    expect(child(channel, `${ITUNES}explicit`)?.text).toBe('false');
    expect(child(channel, `${ITUNES}category`)).toMatchObject({
      attributes: { text: 'Education' },
      children: [{ attributes: { text: 'Courses' } }],
    });
    const item = child(channel, 'item');
    expect(child(item, 'title')?.text).toBe('First');
    expect(child(item, 'description')?.text).toBe('About First & more');
    const { publish_on } = (await admin.get(episode)).body;
    expect(child(item, 'pubDate')?.text).toBe(new Date(publish_on).toUTCString());
    expect(item?.children.filter(({ tag }) => tag === 'category').map(({ text }) => text)).toEqual([
      'history',
      'x & y',
    ]);
  });

  test('leads to the bytes of an episode, whose number and type it names, for everybody and in ranges', async () => {
    const [, url, length, type] = /<enclosure url="([^"]+)" length="(\d+)" type="([^"]+)"/.exec(await feed()) ?? [];
    expect(url).toMatch(new RegExp(`^${service.baseUrl}/feeds/`));
    const answer = await fetch(url ?? '');
    expect(answer.headers.get('content-type')).toBe(type);
    expect((await answer.arrayBuffer()).byteLength).toBe(Number(length));
    const part = await fetch(url ?? '', { headers: { range: 'bytes=0-9' } });
    expect([part.status, (await part.arrayBuffer()).byteLength]).toEqual([206, 10]);
  });

  test('lists the newest episode first, and neither drafts nor scheduled items', async () => {
    await published('Second');
    await published('Later', { publish_on: '2090-01-01T00:00:00Z' });
    await admin.post('/api2/media', { collection_id: podcast, title: 'Draft' });
    const titles = [...(await feed()).matchAll(/<item>\n<title>([^<]*)/g)].map(([, title]) => title);
    expect(titles).toEqual(['Second', 'First']);
  });

  test('is sent again only when it has changed', async () => {
    const first = await get(`/feeds/${slug}`);
    const etag = first.headers.get('etag') ?? '';
    expect(first.headers.get('content-type')).toBe('application/rss+xml; charset=utf-8');
    for (const tag of [etag, `W/${etag}`, `"other", ${etag}`, '*']) {
      const again = await get(`/feeds/${slug}`, { 'if-none-match': tag });
      expect([again.status, await again.text()]).toEqual([304, '']);
    }
    await admin.post(episode, { title: 'First, corrected' });
    const changed = await get(`/feeds/${slug}`, { 'if-none-match': etag });
    expect(changed.status).toBe(200);
    expect(await changed.text()).toContain('First, corrected');
  });

  test('keeps the id of an episode when it gets another title, file or place in time', async () => {
    const guid = (xml: string) => /corrected<\/title>\n<guid isPermaLink="false">([^<]+)/.exec(xml)?.[1];
    const before = guid(await feed());
    expect(before).toBeDefined();
    await admin.post(`${episode}/publish`, { publish_on: '2020-01-01T00:00:00Z' });
    expect(guid(await feed())).toBe(before);
  });

  test('has the newest thumbnail of the collection at an address that stays', async () => {
    expect(await feed()).not.toContain('itunes:image');
    const picture = png(64, 64);
    const thumbs = `/api2/collections/${podcast}/thumbs`;
    const { body } = await admin.post(thumbs, { upload_name: 'cover.png', upload_size: picture.length });
    expect((await sendForm(body.upload, 'cover.png', picture)).status).toBeLessThan(300);
    await admin.until(thumbs, ({ items }) => items.length > 0);
    expect(await feed()).toContain(`<itunes:image href="${service.baseUrl}/feeds/${slug}/cover"/>`);
    expect((await fetch(`${service.baseUrl}/feeds/${slug}/cover`)).headers.get('content-type')).toBe('image/png');
  });
});

describe('no feed exists', () => {
  const status = async (path: string) => (await get(path)).status;

  test('for collections that are no podcast, that visitors do not see, or whose items they may not play', async () => {
    const plain = await collection({ display_name: 'Plain' });
    await visibleToVisitors(plain.id, ['collection-read', 'media-read', 'media-play']);
    const hidden = await collection({ display_name: 'Hidden', is_podcast: true });
    const silent = await collection({ display_name: 'Silent', is_podcast: true });
    await visibleToVisitors(silent.id, ['collection-read', 'media-read']);
    for (const each of [plain.slug, hidden.slug, silent.slug, 'nothing', '..%2f..']) {
      expect(await status(`/feeds/${each}`), each).toBe(404);
    }
  });

  test('for episodes of another collection, drafts, and files that the feed does not list', async () => {
    const elsewhere = await collection({ display_name: 'Elsewhere' });
    const foreign = (await published('Foreign', {}, elsewhere.id)).split('/').at(-1);
    const files = (await admin.get(`/api2/media/${foreign}/files`)).body.items;
    expect(await status(`/feeds/${slug}/${foreign}/${files[0].id}.wav`)).toBe(404);
    const id = episode.split('/').at(-1);
    for (const name of ['0.wav', 'x.wav', `${files[0].id}.wav`, '..%2f1.wav']) {
      expect(await status(`/feeds/${slug}/${id}/${name}`), name).toBe(404);
    }
    const own = (await admin.get(`${episode}/files`)).body.items[0].id;
    const listed = /\/feeds\/[^"]+\/(\d+)\/(\d+)\.\w+" length/.exec(await feed());
    expect(listed).not.toBeNull();
    await admin.post(`${episode}/unpublish`);
    expect(await status(`/feeds/${slug}/${id}/${own}.wav`)).toBe(404);
    await admin.post(`${episode}/publish`, { publish_on: '2020-01-01T00:00:00Z' });
  });

  test('unless the setting is on', async () => {
    await service.control('PATCH', '/settings', { podcast_feeds: false });
    expect(await status(`/feeds/${slug}`)).toBe(404);
    expect(await status(`/feeds/${slug}/cover`)).toBe(404);
    await service.control('PATCH', '/settings', { podcast_feeds: true });
    expect(await status(`/feeds/${slug}`)).toBe(200);
  });
});
