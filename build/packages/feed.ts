// What build/sign-feed.ts puts into a feed, and how it signs it.
import { createHash, createPrivateKey, createPublicKey, type KeyObject, sign, verify } from 'node:crypto';
import { readFileSync } from 'node:fs';
import { basename } from 'node:path';
import {
  FEED_CHANNEL,
  type Feed,
  type FeedFile,
  isPlainName,
  readFeed,
  signedText,
  writeFeed,
} from '../../shared/model/updates/feed-text.ts';
import { readPublicKey } from './update-source.ts';

export interface SigningKeys {
  privateKey: KeyObject;
  /** SPKI in DER, Base64. */
  publicKeys: readonly string[];
}

/** Reads the keys. Throws when the private key is not the other half of one that the apps know: they would refuse the feed. */
export function readKeys(environment: Readonly<Record<string, string | undefined>>): SigningKeys {
  const { MEDIADESK_UPDATE_SIGNING_KEY: pem = '', MEDIADESK_UPDATE_KEYS: list = '' } = environment;
  if (pem === '') throw new Error('MEDIADESK_UPDATE_SIGNING_KEY is missing.');
  const privateKey = createPrivateKey(pem);
  const publicKeys = list.split(/\s+/).filter(Boolean);
  const own = createPublicKey(privateKey).export({ format: 'der', type: 'spki' }).toString('base64');
  if (!publicKeys.includes(own)) throw new Error('The key for signing belongs to none of MEDIADESK_UPDATE_KEYS.');
  return { privateKey, publicKeys };
}

export interface NewFeed {
  platform: string;
  arch: string;
  version: string;
  /** What is new, as plain text. */
  notes: string;
  /** The versions that the feed before blocks. */
  blocked: readonly string[];
  /** Paths of the files of the release. */
  files: readonly string[];
}

/** Returns the feed of a release, for everyone. Throws when a file can't be named in a feed. */
export function newFeed({ platform, arch, version, notes, blocked, files }: NewFeed): Feed {
  return {
    version,
    channel: FEED_CHANNEL,
    platform: platform as Feed['platform'],
    arch,
    files: files.map(fileOf),
    releaseDate: '',
    minimumVersion: null,
    blocked: [...blocked],
    stagingPercentage: 100,
    releaseNotes: notes,
  };
}

/** Longer notes are cut: the window shows them in one piece. */
const MOST_NOTES = 8_000;

/** Returns the section of a version in a change log, as plain text. Throws when there is none. */
export function notesOf(changelog: string, version: string): string {
  const sections = `\n${changelog}`.split('\n## ');
  const own = sections.find((section) => section.split('\n', 1)[0]?.trim() === version);
  if (own === undefined) throw new Error(`The change log has no section for ${version}.`);
  const text = own
    .slice(own.indexOf('\n'))
    .trim()
    .replaceAll('**', '')
    .replaceAll('`', '')
    .replace(/\[([^\][()]*)\]\([^\][()]*\)/g, '$1');
  return text.length <= MOST_NOTES ? text : `${text.slice(0, text.lastIndexOf('\n', MOST_NOTES))}\n…`;
}

function fileOf(path: string): FeedFile {
  const content = readFileSync(path);
  const url = basename(path);
  if (!isPlainName(url))
    throw new Error(`${url} is no name for a file of a feed: only letters, digits, dots, - and _.`);
  return { url, sha512: createHash('sha512').update(content).digest('base64'), size: content.length };
}

/** Reads a published feed. Throws when it is not signed by one of the keys. */
export function openFeed(path: string, publicKeys: readonly string[]): Feed {
  const reading = readFeed(readFileSync(path, 'utf8'));
  if ('fault' in reading) throw new Error(`${path} is no feed: ${reading.fault} ${reading.member ?? ''}`);
  const { feed, signature } = reading;
  const [text, signed] = [Buffer.from(signedText(feed)), Buffer.from(signature ?? '', 'base64')];
  const isSigned = publicKeys.some((key) => verify(null, text, readPublicKey(key), signed));
  if (!isSigned) throw new Error(`${path} is not signed by one of MEDIADESK_UPDATE_KEYS.`);
  return feed;
}

export interface FeedChanges {
  stagingPercentage?: number;
  minimumVersion?: string;
  block: readonly string[];
  unblock: readonly string[];
}

/** Returns a feed with changes, dated `now`. */
export function changeFeed(feed: Feed, { block, unblock, ...changes }: FeedChanges, now: Date): Feed {
  const blocked = [...new Set([...feed.blocked, ...block])].filter((version) => !unblock.includes(version));
  return { ...feed, ...changes, blocked, releaseDate: now.toISOString() };
}

/** Returns the text of a signed feed. Throws when the app would not read it. */
export function signFeed(feed: Feed, { privateKey }: Pick<SigningKeys, 'privateKey'>): string {
  const text = writeFeed(feed, sign(null, Buffer.from(signedText(feed)), privateKey).toString('base64'));
  const reading = readFeed(text);
  if ('fault' in reading) throw new Error(`This is no valid feed: ${reading.fault} ${reading.member ?? ''}`);
  return text;
}
