// Where a build looks for updates, from the environment of the release: the address of the feeds, and the two public keys.
import { createPublicKey, type KeyObject } from 'node:crypto';

interface UpdateSource {
  feedUrl: string;
  keys: string[];
}

/**
 * Returns the source that a build puts into the app; null without one: the app can't update itself then. Throws for half of it, and
 * for anything but an https folder and two different public Ed25519 keys.
 */
export function builtUpdateSource(environment: Readonly<Record<string, string | undefined>>): UpdateSource | null {
  const feedUrl = environment.MEDIADESK_UPDATE_FEED ?? '';
  const keys = (environment.MEDIADESK_UPDATE_KEYS ?? '').split(/\s+/).filter(Boolean);
  if (feedUrl === '' && keys.length === 0) return null;
  const url = URL.parse(feedUrl);
  if (url?.protocol !== 'https:' || !url.pathname.endsWith('/') || url.search !== '' || url.hash !== '') {
    throw new Error('MEDIADESK_UPDATE_FEED must be the https address of a folder, with a slash at its end.');
  }
  if (keys.length !== 2 || keys[0] === keys[1]) throw new Error('MEDIADESK_UPDATE_KEYS must be two different keys.');
  for (const key of keys) readPublicKey(key);
  return { feedUrl: url.href, keys };
}

/** Reads a public key: SPKI in DER, Base64. Throws when it is no Ed25519 key. */
export function readPublicKey(text: string): KeyObject {
  const key = createPublicKey({ key: Buffer.from(text, 'base64'), format: 'der', type: 'spki' });
  if (key.asymmetricKeyType !== 'ed25519')
    throw new Error(`A key for updates is of the type ${key.asymmetricKeyType}.`);
  return key;
}
