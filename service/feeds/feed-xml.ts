import { createHash } from 'node:crypto';

/** An episode in a feed. All values are text, not XML. */
export interface FeedEpisode {
  /** Does not change, also when the address of the library changes. */
  guid: string;
  title: string;
  /** The page of the item. */
  link: string;
  description: string;
  author: string | null;
  tags: readonly string[];
  /** Epoch seconds. */
  publishedOn: number;
  durationS: number;
  enclosure: FeedFile & { bytes: number };
  transcripts: readonly FeedFile[];
}

interface FeedFile {
  url: string;
  contentType: string;
}

export interface PodcastFeed {
  title: string;
  /** The page of the collection. */
  link: string;
  /** The address of the feed itself. */
  self: string;
  description: string;
  subtitle: string | null;
  author: string | null;
  email: string | null;
  copyright: string | null;
  isExplicit: boolean;
  /** Category, then subcategory; empty: none. */
  categories: readonly string[];
  image: string | null;
  isVideo: boolean;
  episodes: readonly FeedEpisode[];
}

const NAMESPACES = {
  atom: 'http://www.w3.org/2005/Atom',
  itunes: 'http://www.itunes.com/dtds/podcast-1.0.dtd',
  podcast: 'https://podcastindex.org/namespace/1.0',
};

/** The namespace of the ids of podcasts, as Podcasting 2.0 defines it. */
const GUID_NAMESPACE = Buffer.from('ead4c236bf5858c6a2c6a6b28d128cb6', 'hex');

/** Returns the RSS 2.0 document of a podcast, with the tags of podcast directories and of Podcasting 2.0. */
export function feedXml(feed: PodcastFeed): string {
  const { self, author, email, image, categories } = feed;
  const lines = [
    element('title', feed.title),
    element('link', feed.link),
    empty('atom:link', { href: self, rel: 'self', type: 'application/rss+xml' }),
    element('description', feed.description || feed.subtitle || feed.title),
    element('generator', 'Mediadesk'),
    optional('copyright', feed.copyright),
    optional('itunes:subtitle', feed.subtitle),
    optional('itunes:author', author),
    email === null
      ? ''
      : `<itunes:owner>${element('itunes:name', author ?? feed.title)}${element('itunes:email', email)}</itunes:owner>`,
    element('itunes:explicit', String(feed.isExplicit)),
    element('itunes:type', 'episodic'),
    image === null ? '' : empty('itunes:image', { href: image }),
    image === null
      ? ''
      : `<image>${element('url', image)}${element('title', feed.title)}${element('link', feed.link)}</image>`,
    categoryXml(categories),
    element('podcast:guid', podcastGuid(self)),
    element('podcast:medium', feed.isVideo ? 'video' : 'podcast'),
    // Other hosts must not copy the feed without a question to its owner.
    email === null
      ? element('podcast:locked', 'yes')
      : `<podcast:locked owner="${escaped(email)}">yes</podcast:locked>`,
    ...feed.episodes.map(episodeXml),
  ];
  const spaces = Object.entries(NAMESPACES).map(([name, address]) => ` xmlns:${name}="${address}"`);
  return `<?xml version="1.0" encoding="UTF-8"?>
<rss version="2.0"${spaces.join('')}>
<channel>
${lines.filter((line) => line !== '').join('\n')}
</channel>
</rss>
`;
}

function episodeXml(episode: FeedEpisode): string {
  const { enclosure, transcripts, durationS } = episode;
  const lines = [
    element('title', episode.title),
    `<guid isPermaLink="false">${escaped(episode.guid)}</guid>`,
    element('link', episode.link),
    element('pubDate', new Date(episode.publishedOn * 1000).toUTCString()),
    optional('description', episode.description),
    optional('itunes:author', episode.author),
    durationS > 0 ? element('itunes:duration', String(Math.round(durationS))) : '',
    ...episode.tags.map((tag) => element('category', tag)),
    empty('enclosure', { url: enclosure.url, length: String(enclosure.bytes), type: enclosure.contentType }),
    ...transcripts.map(({ url, contentType }) =>
      empty('podcast:transcript', { url, type: contentType, rel: 'captions' }),
    ),
  ];
  return `<item>\n${lines.filter((line) => line !== '').join('\n')}\n</item>`;
}

function categoryXml([category, subcategory]: readonly string[]): string {
  if (category === undefined) return '';
  const inner = subcategory === undefined ? '' : empty('itunes:category', { text: subcategory });
  return inner === ''
    ? empty('itunes:category', { text: category })
    : `<itunes:category text="${escaped(category)}">${inner}</itunes:category>`;
}

/** Returns the id of a podcast: a UUID of version 5 of the feed's address without its scheme. */
function podcastGuid(self: string): string {
  const name = self.slice(self.indexOf('://') + 3);
  const bytes = createHash('sha1').update(GUID_NAMESPACE).update(name).digest().subarray(0, 16);
  bytes.writeUInt8((bytes.readUInt8(6) & 0x0f) | 0x50, 6);
  bytes.writeUInt8((bytes.readUInt8(8) & 0x3f) | 0x80, 8);
  return bytes.toString('hex').replace(/^(.{8})(.{4})(.{4})(.{4})(.{12})$/, '$1-$2-$3-$4-$5');
}

function optional(name: string, text: string | null): string {
  return text === null || text.trim() === '' ? '' : element(name, text);
}

function element(name: string, text: string): string {
  return `<${name}>${escaped(text)}</${name}>`;
}

function empty(name: string, attributes: Readonly<Record<string, string>>): string {
  const texts = Object.entries(attributes).map(([key, value]) => ` ${key}="${escaped(value)}"`);
  return `<${name}${texts.join('')}/>`;
}

const ENTITIES: Readonly<Record<string, string>> = {
  '&': '&amp;',
  '<': '&lt;',
  '>': '&gt;',
  '"': '&quot;',
  "'": '&apos;',
};

/** Escapes a text, without the characters that XML 1.0 can't contain. */
function escaped(text: string): string {
  return text
    .toWellFormed()
    .replace(/[^\t\n\r\u0020-\uD7FF\uE000-\uFFFD\u{10000}-\u{10FFFF}]/gu, '')
    .replace(/[&<>"']/g, (character) => ENTITIES[character] ?? '');
}
