import { randomBytes } from 'node:crypto';
import {
  closeSync,
  existsSync,
  fsyncSync,
  mkdirSync,
  openSync,
  readFileSync,
  rmSync,
  statSync,
  writeFileSync,
} from 'node:fs';
import { join } from 'node:path';
import { randomToken } from '../secrets/random-token.ts';
import { makePrivate } from '../storage/private-file.ts';
import { renameFileNow } from '../storage/replace-file.ts';

/**
 * The files of a data directory other than the database: `keys.json` (signing key and control token) and, in a library for demos,
 * `admin.json` (the password of the seeded accounts, readable so that each start can print it). Both are private to their owner.
 */
export interface DataDir {
  databaseFile: string;
  signingKey: Buffer;
  controlToken: string;
}

/** The seeded administrator of a library for demos. */
export interface DemoAdmin {
  email_address: string;
  password: string;
}

const ADMIN_FILE = 'admin.json';
const KEYS_FILE = 'keys.json';

/** Returns the seeded administrator; null when the library has none, because its first user came with a link. */
export function readAdmin(dataDir: string): DemoAdmin | null {
  const file = join(dataDir, ADMIN_FILE);
  return existsSync(file) ? readOrMake(file, makeAdmin) : null;
}

/** As `readAdmin`, but creates the administrator's file when there is none. */
export function readOrMakeAdmin(dataDir: string): DemoAdmin {
  return readOrMake(join(dataDir, ADMIN_FILE), makeAdmin);
}

/** Removes the file that a start left which ended before the library had any content. */
export function forgetAdmin(dataDir: string): void {
  rmSync(join(dataDir, ADMIN_FILE), { force: true });
}

const makeAdmin = (): DemoAdmin => ({ email_address: 'admin@library.example', password: randomToken(12) });

export function openDataDir(path: string): DataDir {
  if (existsSync(join(path, UNFINISHED))) {
    throw new Error(
      'A backup was being restored into this data directory, but not to the end. Restore it into a new one.',
    );
  }
  mkdirSync(path, { recursive: true, mode: 0o700 });
  const keys = readOrMake(join(path, KEYS_FILE), () => ({
    signing_key: randomBytes(32).toString('base64url'),
    control_token: randomToken(24),
  }));
  return {
    databaseFile: join(path, 'library.sqlite'),
    signingKey: Buffer.from(keys.signing_key, 'base64url'),
    controlToken: keys.control_token,
  };
}

/** Replaces the signing key of a data directory. */
export function replaceSigningKey(path: string, key: string): void {
  const file = join(path, KEYS_FILE);
  replace(file, { ...readSmall(file), signing_key: key });
}

/** A file with this name marks a data directory that is being restored. */
export const UNFINISHED = 'restore-unfinished';
const OPERATIONS_FILE = 'operations.json';
const MAX_FILE_BYTES = 64 * 1024;

/** Records where the operations of the running service are served, for commands on this computer. */
export function recordOperations(dataDir: string, url: string): void {
  replace(join(dataDir, OPERATIONS_FILE), { url });
}

export function forgetOperations(dataDir: string): void {
  rmSync(join(dataDir, OPERATIONS_FILE), { force: true });
}

/** Returns where the operations of the running service are served, and its token; undefined when none is recorded. */
export function readOperations(dataDir: string): { url: string; token: string } | undefined {
  const { url } = readSmall(join(dataDir, OPERATIONS_FILE)) ?? {};
  const { control_token: token } = readSmall(join(dataDir, KEYS_FILE)) ?? {};
  return typeof url === 'string' && typeof token === 'string' ? { url, token } : undefined;
}

/** Returns an address of the operations. A service that listens on every address is reached on loopback. */
export function localUrl(url: string, path: string): URL {
  const local = new URL(path, url);
  if (local.hostname === '0.0.0.0') local.hostname = '127.0.0.1';
  if (local.hostname === '[::]') local.hostname = '[::1]';
  return local;
}

function readSmall(file: string): Record<string, unknown> | undefined {
  const stats = statSync(file, { throwIfNoEntry: false });
  if (!stats?.isFile() || stats.size > MAX_FILE_BYTES) return undefined;
  return JSON.parse(readFileSync(file, 'utf8')) as Record<string, unknown>;
}

/** Reads a small file, or creates it atomically, so that a crash leaves the whole file or none. */
function readOrMake<T extends object>(file: string, make: () => T): T {
  if (existsSync(file)) {
    makePrivate(file);
    return JSON.parse(readFileSync(file, 'utf8')) as T;
  }
  const made = make();
  replace(file, made);
  return made;
}

/** Writes a small private file atomically. */
function replace(file: string, content: object): void {
  const fd = openSync(`${file}.new`, 'w', 0o600);
  writeFileSync(fd, `${JSON.stringify(content, null, 2)}\n`);
  fsyncSync(fd);
  closeSync(fd);
  renameFileNow(`${file}.new`, file);
}
