import { verify } from 'node:crypto';
import { type AppError, appError } from '../../../shared/contract/app-error.ts';
import {
  FEED_CHANNEL,
  type Feed,
  type FeedFile,
  isPlainName,
  MOST_FEED_BYTES,
  readFeed,
  signedText,
} from '../../../shared/model/updates/feed-text.ts';
import { compareVersions } from '../../../shared/model/updates/versions.ts';
import { readPublicKey } from './update-source.ts';

/** A feed is signed again at least this often, so that an old one can't hide new versions for long. */
const VALID_MS = 30 * 24 * 3_600_000;
/** Clocks differ. */
const TOLERANCE_MS = 24 * 3_600_000;

/** What a feed is judged by. */
export interface JudgeFacts {
  keys: readonly string[];
  ownVersion: string;
  platform: NodeJS.Platform;
  arch: string;
  /** Epoch ms. */
  now: number;
  /** When the newest feed that was ever trusted here was signed, in epoch ms. */
  newestSeen: number | null;
  /** The extension of the file that is installed, such as `.exe`; null: another program installs. */
  extension: string | null;
}

export type FeedVerdict =
  /** `file`: the file to install; null when another program installs. */
  { kind: 'newer'; feed: Feed; file: FeedFile | null } | { kind: 'current'; feed: Feed };

/** Returns the feed in a text, if it is meant for this installation now. Throws `update.*` for one that can't be trusted. */
export function trustFeed(bytes: Uint8Array, facts: JudgeFacts): Feed {
  const feed = signedFeed(bytes, facts);
  requireOwnSystem(feed, facts);
  requireDate(feed, facts);
  return feed;
}

/** Returns the signed feed in a text. */
function signedFeed(bytes: Uint8Array, { keys }: JudgeFacts): Feed {
  if (bytes.length > MOST_FEED_BYTES) throw appError('update.feed-too-large', { details: { limit: MOST_FEED_BYTES } });
  const reading = readFeed(decode(bytes));
  if ('fault' in reading) {
    throw appError('update.feed-malformed', { details: { reason: reading.fault, member: reading.member } });
  }
  const { feed, signature } = reading;
  if (signature === null) throw appError('update.feed-unsigned');
  const [text, signed] = [Buffer.from(signedText(feed)), Buffer.from(signature, 'base64')];
  if (!keys.some((key) => verify(null, text, readPublicKey(key), signed))) throw appError('update.signature-wrong');
  return feed;
}

function decode(bytes: Uint8Array): string {
  try {
    return new TextDecoder('utf-8', { fatal: true, ignoreBOM: true }).decode(bytes);
  } catch (cause) {
    throw appError('update.feed-malformed', { details: { reason: 'not-utf8' }, cause });
  }
}

/** The same keys sign the feeds of all systems. */
function requireOwnSystem(feed: Feed, { platform, arch }: JudgeFacts): void {
  const { channel } = feed;
  if (feed.platform === platform && feed.arch === arch && channel === FEED_CHANNEL) return;
  throw appError('update.other-system', { details: { platform: feed.platform, arch: feed.arch, channel } });
}

function requireDate({ releaseDate }: Feed, { now, newestSeen }: JudgeFacts): void {
  const signedAt = Date.parse(releaseDate);
  const refuse = (code: Parameters<typeof appError>[0]): AppError =>
    appError(code, { details: { signedAt: releaseDate } });
  if (signedAt > now + TOLERANCE_MS) throw refuse('update.feed-in-future');
  if (signedAt < now - VALID_MS) throw refuse('update.feed-expired');
  if (newestSeen !== null && signedAt < newestSeen) throw refuse('update.feed-replayed');
}

/** Decides what a trusted feed means for this installation. Throws `update.*` for a version that must not be installed. */
export function judgeVersion(feed: Feed, { ownVersion, extension }: JudgeFacts): FeedVerdict {
  const { version, blocked, minimumVersion, files } = feed;
  const details = { version, ownVersion };
  if (blocked.some((each) => compareVersions(each, ownVersion) === 0)) {
    throw appError('update.own-version-blocked', { details });
  }
  const order = compareVersions(version, ownVersion);
  if (order === 0) return { kind: 'current', feed };
  if (order < 0) throw appError('update.version-older', { details });
  if (blocked.some((each) => compareVersions(each, version) === 0))
    throw appError('update.version-blocked', { details });
  if (extension === null) return { kind: 'newer', feed, file: null };
  if (minimumVersion !== null && compareVersions(ownVersion, minimumVersion) < 0) {
    throw appError('update.version-too-new', { details: { ...details, minimumVersion } });
  }
  for (const { url } of files) {
    if (!isPlainName(url)) throw appError('update.file-name-refused', { details: { name: url.slice(0, 200) } });
  }
  const named = files.filter(({ url }) => url.toLowerCase().endsWith(extension));
  const [file] = named;
  if (file === undefined || named.length > 1)
    throw appError('update.no-package', { details: { ...details, extension } });
  return { kind: 'newer', feed, file };
}
