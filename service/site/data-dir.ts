import { randomBytes } from 'node:crypto';
import { closeSync, existsSync, fsyncSync, mkdirSync, openSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { randomToken } from '../secrets/random-token.ts';
import { makePrivate } from '../storage/private-file.ts';
import { renameFileNow } from '../storage/replace-file.ts';

/**
 * The files of a data directory other than the database: `keys.json` (signing key and control token) and `admin.json` (the
 * password of the seeded accounts, readable so that each start of a demo can print it). Both are private to their owner.
 */
export interface DataDir {
  databaseFile: string;
  signingKey: Buffer;
  controlToken: string;
  admin: { email_address: string; password: string };
}

export function openDataDir(path: string): DataDir {
  mkdirSync(path, { recursive: true, mode: 0o700 });
  const keys = readOrMake(join(path, 'keys.json'), () => ({
    signing_key: randomBytes(32).toString('base64url'),
    control_token: randomToken(24),
  }));
  const admin = readOrMake(join(path, 'admin.json'), () => ({
    email_address: 'admin@library.example',
    password: randomToken(12),
  }));
  return {
    databaseFile: join(path, 'library.sqlite'),
    signingKey: Buffer.from(keys.signing_key, 'base64url'),
    controlToken: keys.control_token,
    admin,
  };
}

/** Reads a small file, or creates it atomically, so that a crash leaves the whole file or none. */
function readOrMake<T extends object>(file: string, make: () => T): T {
  if (existsSync(file)) {
    makePrivate(file);
    return JSON.parse(readFileSync(file, 'utf8')) as T;
  }
  const made = make();
  const fd = openSync(`${file}.new`, 'w', 0o600);
  writeFileSync(fd, `${JSON.stringify(made, null, 2)}\n`);
  fsyncSync(fd);
  closeSync(fd);
  renameFileNow(`${file}.new`, file);
  return made;
}
