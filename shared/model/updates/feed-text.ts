// The text of a feed: a file that says which version of the app is the newest. The release workflow writes and signs it, the app
// reads it. It is valid YAML with the members that electron-updater names, but each line is a key and a value in JSON. A reader
// therefore needs no YAML, and a feed has one possible text.
import { z } from 'zod';
import { isVersion } from './versions.ts';

/** A longer feed is not read. */
export const MOST_FEED_BYTES = 64 * 1024;
const MOST_NOTE_CHARS = 16 * 1024;

/** Only the newest of the stable versions has a feed. */
export const FEED_CHANNEL = 'latest';

const version = z.string().refine(isVersion);
const fileSchema = z.strictObject({
  /** The name of the file in the folder of the feed. */
  url: z.string(),
  /** Base64. */
  sha512: z.string().regex(/^[0-9A-Za-z+/]{86}==$/),
  /** In bytes. */
  size: z
    .number()
    .int()
    .min(1)
    .max(4 * 1024 ** 3),
});
export type FeedFile = z.output<typeof fileSchema>;

/** The members of a feed, in the order of its lines. */
const FEED_MEMBERS = {
  version,
  channel: z.string().max(40),
  platform: z.enum(['linux', 'darwin', 'win32']),
  arch: z.string().max(20),
  files: z.array(fileSchema).max(20),
  /** When the feed was signed, as `Date.toISOString` writes it. */
  releaseDate: z.iso.datetime({ precision: 3 }),
  /** The oldest version that can install the new one; null: every version can. */
  minimumVersion: version.nullable(),
  /** Versions that must not be installed, and that must not install anything. */
  blocked: z.array(version).max(500),
  /** The share of installations that are offered the version by themselves, from 0 to 100. */
  stagingPercentage: z.number().int().min(0).max(100),
  /** What is new, as plain text. */
  releaseNotes: z.string().max(MOST_NOTE_CHARS),
} as const;
const feedSchema = z.strictObject(FEED_MEMBERS);
export type Feed = z.output<typeof feedSchema>;

const MEMBER_NAMES = Object.keys(FEED_MEMBERS) as (keyof Feed)[];
const FILE_MEMBERS = Object.keys(fileSchema.shape) as (keyof FeedFile)[];
const SIGNATURE = 'signature';

/** Where the signature is no text of a signature: 64 bytes in Base64. */
const signatureSchema = z.string().regex(/^[0-9A-Za-z+/]{86}==$/);

/** Why a text is no feed: stable words for logs and tests. */
type FeedFault =
  | 'not-a-line'
  | 'duplicate-member'
  | 'unknown-member'
  | 'missing-member'
  | 'invalid-member'
  | 'another-text';

/** The result of reading a text. `signature`: null when there is none. */
export type FeedReading = { feed: Feed; signature: string | null } | { fault: FeedFault; member: string | null };

/** Returns the name of the file of a feed, as electron-updater names it; the other processors have files of their own. */
export function feedName(platform: Feed['platform'], arch: string): string {
  const system = { linux: '-linux', darwin: '-mac', win32: '' }[platform];
  return `${FEED_CHANNEL}${system}${arch === 'x64' ? '' : `-${arch}`}.yml`;
}

/** Returns whether a text names a file in the folder of the feed, and nothing else in any system. */
export function isPlainName(name: string): boolean {
  return /^[A-Za-z0-9][A-Za-z0-9._-]{0,127}$/.test(name) && !name.includes('..') && !name.endsWith('.');
}

/** Returns the members and their values in a fixed order. */
function linesOf(feed: Feed): string[] {
  return MEMBER_NAMES.map((name) => {
    const value = name === 'files' ? feed.files.map((file) => pick(file, FILE_MEMBERS)) : feed[name];
    return `${name}: ${JSON.stringify(value)}`;
  });
}

function pick<T extends object, K extends keyof T>(from: T, keys: readonly K[]): Pick<T, K> {
  return Object.fromEntries(keys.map((key) => [key, from[key]])) as Pick<T, K>;
}

/** Returns the text that is signed: every member of the feed. Its first line says what the signature is for. */
export function signedText(feed: Feed): string {
  return ['Mediadesk feed 1', ...linesOf(feed), ''].join('\n');
}

/** Returns the file of a feed. */
export function writeFeed(feed: Feed, signature: string): string {
  return [...linesOf(feed), `${SIGNATURE}: ${JSON.stringify(signature)}`, ''].join('\n');
}

/** Reads a feed. Nothing in it can be trusted before its signature was verified over `signedText`. */
export function readFeed(text: string): FeedReading {
  const members = readMembers(text);
  if ('fault' in members) return members;
  const { [SIGNATURE]: signature = null, ...rest } = members.values;
  for (const name of MEMBER_NAMES) if (!(name in rest)) return { fault: 'missing-member', member: name };
  const feed = feedSchema.safeParse(rest);
  if (!feed.success) return { fault: 'invalid-member', member: String(feed.error.issues[0]?.path[0] ?? '') };
  if (signature === null || signature === '') return { feed: feed.data, signature: null };
  const signed = signatureSchema.safeParse(signature);
  if (!signed.success) return { fault: 'invalid-member', member: SIGNATURE };
  // Other spaces, another order or a member twice inside of a value: another reader could take another value from it.
  if (writeFeed(feed.data, signed.data) !== text) return { fault: 'another-text', member: null };
  return { feed: feed.data, signature: signed.data };
}

type Members = { values: Record<string, unknown> } | Extract<FeedReading, { fault: FeedFault }>;

function readMembers(text: string): Members {
  const values: Record<string, unknown> = {};
  const known: ReadonlySet<string> = new Set([...MEMBER_NAMES, SIGNATURE]);
  const lines = text.split('\n');
  if (lines.at(-1) === '') lines.pop();
  for (const line of lines) {
    const at = line.indexOf(': ');
    const name = line.slice(0, Math.max(0, at));
    if (at < 1 || !/^[A-Za-z]{1,40}$/.test(name)) return { fault: 'not-a-line', member: null };
    if (!known.has(name)) return { fault: 'unknown-member', member: name };
    if (name in values) return { fault: 'duplicate-member', member: name };
    try {
      values[name] = JSON.parse(line.slice(at + 2));
    } catch {
      return { fault: 'invalid-member', member: name };
    }
  }
  return { values };
}
