import { createCipheriv, createDecipheriv, type ScryptOptions, scrypt } from 'node:crypto';
import { mkdir, open, readFile, rm } from 'node:fs/promises';
import { dirname } from 'node:path';
import { z } from 'zod';
import { AppError, appError } from '../../../../shared/contract/app-error.ts';
import type { Keychain } from '../keychain.ts';
import type { Random } from '../random.ts';
import { renameFile } from './rename-file.ts';
import { syncFolder } from './sync-folder.ts';

export interface FileKeychainOptions {
  path: string;
  passphrase: string;
  random: Random;
  /** log2 of scrypt's N: 17 takes 128 MiB and about half a second, once per process. */
  costLog2?: number;
}

const base64 = z.string().regex(/^[A-Za-z0-9+/]*={0,2}$/);
const fileSchema = z.object({
  version: z.literal(1),
  costLog2: z.number().int().min(10).max(20),
  salt: base64,
  iv: base64,
  tag: base64,
  data: base64,
});
type SealedFile = z.output<typeof fileSchema>;
const secretsSchema = z.record(z.string(), z.string());

/**
 * Secrets in one encrypted file, for computers without a keychain: scrypt derives the key from a passphrase,
 * AES-256-GCM encrypts the contents. The file is private to this user (0600) and replaced atomically, so that a crash
 * leaves the old or the new one. Throws `keychain.wrong-passphrase` for another passphrase; another kind of file is not
 * changed (`keychain.unavailable`).
 */
export function createFileKeychain(options: FileKeychainOptions): Keychain {
  if (options.passphrase === '') throw appError('input.invalid', { details: { reason: 'empty passphrase' } });
  const keys = createKeyRing(options);
  let previous: Promise<unknown> = Promise.resolve();

  /** Changes run one at a time: each reads the file, changes it and writes it. */
  function inTurn<T>(task: () => Promise<T>): Promise<T> {
    const work = previous.then(task).catch((error: unknown) => {
      throw fileError(error, options.path);
    });
    previous = work.then(ignore, ignore);
    return work;
  }

  async function load(): Promise<Map<string, string>> {
    const sealed = await readSealed(options.path);
    return sealed === null ? new Map() : unseal(sealed, await keys.forFile(sealed));
  }

  async function save(secrets: Map<string, string>): Promise<void> {
    const { key, salt, costLog2 } = await keys.current();
    await replaceFile(options, JSON.stringify(seal(secrets, key, { salt, costLog2 }, options.random)));
  }

  return {
    kind: 'file',
    get: (account) => inTurn(async () => (await load()).get(account) ?? null),
    set: (account, secret) =>
      inTurn(async () => {
        await save((await load()).set(account, secret));
      }),
    delete: (account) =>
      inTurn(async () => {
        const secrets = await load();
        if (secrets.delete(account)) await save(secrets);
      }),
  };
}

/** Caches the key of the current file, because deriving it is slow on purpose. */
function createKeyRing(options: FileKeychainOptions) {
  let known: { key: Buffer; salt: string; costLog2: number } | null = null;
  async function derive(salt: string, costLog2: number) {
    if (known?.salt === salt && known.costLog2 === costLog2) return known;
    known = { key: await scryptKey(options.passphrase, salt, costLog2), salt, costLog2 };
    return known;
  }
  return {
    forFile: async (file: SealedFile) => (await derive(file.salt, file.costLog2)).key,
    current: () => known ?? derive(Buffer.from(options.random.bytes(16)).toString('base64'), options.costLog2 ?? 17),
  };
}

function scryptKey(passphrase: string, salt: string, costLog2: number): Promise<Buffer> {
  const cost: ScryptOptions = { N: 2 ** costLog2, r: 8, p: 1, maxmem: 2 ** costLog2 * 8 * 128 + 2 ** 20 };
  return new Promise((resolve, reject) => {
    scrypt(passphrase.normalize('NFKC'), Buffer.from(salt, 'base64'), 32, cost, (error, key) => {
      if (error === null) resolve(key);
      else reject(error);
    });
  });
}

function seal(
  secrets: Map<string, string>,
  key: Buffer,
  header: { salt: string; costLog2: number },
  random: Random,
): SealedFile {
  const iv = Buffer.from(random.bytes(12));
  const cipher = createCipheriv('aes-256-gcm', key, iv);
  cipher.setAAD(aad(header));
  const data = Buffer.concat([cipher.update(JSON.stringify(Object.fromEntries(secrets)), 'utf8'), cipher.final()]);
  return {
    version: 1,
    ...header,
    iv: iv.toString('base64'),
    tag: cipher.getAuthTag().toString('base64'),
    data: data.toString('base64'),
  };
}

function unseal(file: SealedFile, key: Buffer): Map<string, string> {
  const tag = Buffer.from(file.tag, 'base64');
  if (tag.length !== 16) throw damaged();
  let text: string;
  try {
    const decipher = createDecipheriv('aes-256-gcm', key, Buffer.from(file.iv, 'base64'), { authTagLength: 16 });
    decipher.setAAD(aad(file));
    decipher.setAuthTag(tag);
    text = Buffer.concat([decipher.update(Buffer.from(file.data, 'base64')), decipher.final()]).toString('utf8');
  } catch (cause) {
    throw appError('keychain.wrong-passphrase', { cause });
  }
  return new Map(Object.entries(secretsSchema.parse(JSON.parse(text))));
}

function aad(header: { salt: string; costLog2: number }): Buffer {
  return Buffer.from(`mediadesk keychain 1 ${header.costLog2} ${header.salt}`);
}

async function readSealed(path: string): Promise<SealedFile | null> {
  let text: string;
  try {
    text = await readFile(path, 'utf8');
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code === 'ENOENT') return null;
    throw error;
  }
  try {
    return fileSchema.parse(JSON.parse(text));
  } catch (cause) {
    throw damaged(cause);
  }
}

/** Writes a new file, syncs it, then renames it to the final name. */
async function replaceFile(options: FileKeychainOptions, text: string): Promise<void> {
  const folder = dirname(options.path);
  await mkdir(folder, { recursive: true, mode: 0o700 });
  const temporary = `${options.path}.${options.random.uuid()}.tmp`;
  try {
    const handle = await open(temporary, 'wx', 0o600);
    try {
      await handle.writeFile(text);
      await handle.sync();
    } finally {
      await handle.close();
    }
    await renameFile(temporary, options.path);
  } catch (error) {
    await rm(temporary, { force: true });
    throw error;
  }
  await syncFolder(folder);
}

function damaged(cause?: unknown): AppError {
  return appError('keychain.unavailable', {
    message: 'The protected sign-in file is damaged.',
    details: { reason: 'damaged file' },
    ...(cause === undefined ? {} : { cause }),
  });
}

function fileError(error: unknown, path: string): AppError {
  if (error instanceof AppError) return error;
  const reason = (error as NodeJS.ErrnoException | null)?.code ?? 'unreadable';
  return appError('keychain.unavailable', {
    message: 'Mediadesk can’t use the protected sign-in file.',
    details: { reason, path },
    cause: error,
  });
}

function ignore(): void {}
