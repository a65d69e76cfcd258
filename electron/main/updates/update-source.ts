import { createPublicKey } from 'node:crypto';
import type { UpdateInstaller } from '../../../shared/contract/updates.ts';

/** Where a build looks for updates, and whose signature it trusts. */
export interface UpdateSource {
  /** The folder with the feeds and the files, with a slash at its end. */
  feedUrl: string;
  /** Public Ed25519 keys, as SPKI in DER and Base64: the one in use, and a spare one. */
  keys: readonly string[];
}

const LOOPBACK: ReadonlySet<string> = new Set(['127.0.0.1', '[::1]', 'localhost']);

/**
 * Returns the source of this build; null: it has none. A packaged app knows only what its build put in. An app that runs from the
 * folder of its sources takes a server on this computer from the environment instead, for tests.
 */
export function updateSource(options: {
  built: UpdateSource | null;
  isPackaged: boolean;
  environment: Readonly<Record<string, string | undefined>>;
}): UpdateSource | null {
  const { built, isPackaged, environment } = options;
  if (isPackaged) return built;
  const { MEDIADESK_UPDATE_FEED: feedUrl, MEDIADESK_UPDATE_KEYS: keys } = environment;
  if (feedUrl === undefined || keys === undefined) return null;
  return LOOPBACK.has(URL.parse(feedUrl)?.hostname ?? '') ? { feedUrl, keys: keys.split(/\s+/).filter(Boolean) } : null;
}

/** Returns whether files may be fetched from an address: with encryption, or from this computer itself. */
export function isSafeAddress(url: URL): boolean {
  return url.protocol === 'https:' || (url.protocol === 'http:' && LOOPBACK.has(url.hostname));
}

/** Throws when a key isn't the public half of an Ed25519 key. */
export function readPublicKey(text: string) {
  const key = createPublicKey({ key: Buffer.from(text, 'base64'), format: 'der', type: 'spki' });
  if (key.asymmetricKeyType !== 'ed25519')
    throw new Error(`A key for updates is of the type ${key.asymmetricKeyType}.`);
  return key;
}

export interface InstallationFacts {
  platform: NodeJS.Platform;
  hasSource: boolean;
  /** The running program. */
  program: string;
  environment: Readonly<Record<string, string | undefined>>;
}

/** Returns who installs new versions of this installation. */
export function updateInstaller(facts: InstallationFacts): UpdateInstaller {
  if (!facts.hasSource) return 'nobody';
  if (facts.platform === 'darwin' || facts.platform === 'win32') return 'app';
  return ownAppImage(facts) === null ? 'package-manager' : 'app';
}

/**
 * Returns the AppImage that this program runs from; null: it doesn't. A program that another AppImage started inherits that one's
 * variables, so its own path must be inside of the mounted image.
 */
export function ownAppImage({
  program,
  environment,
}: Pick<InstallationFacts, 'program' | 'environment'>): string | null {
  const { APPIMAGE: file, APPDIR: folder } = environment;
  if (file === undefined || folder === undefined || !file.startsWith('/') || folder === '') return null;
  return program.startsWith(folder.endsWith('/') ? folder : `${folder}/`) ? file : null;
}
