import { readFile, writeFile } from 'node:fs/promises';
import { basename, join } from 'node:path';
import type { S3Access } from '../../destinations/store.ts';
import { databaseSection } from './test-database.ts';

/**
 * Returns the configuration file to start with. With `MEDIADESK_TEST_STORE` (the JSON of an `S3Access`), every service has its
 * content in this object store, each under a prefix of its own. With `MEDIADESK_TEST_DATABASE`, every library has a database on a server.
 */
export async function configFor(config: string | undefined, dataDir: string): Promise<string | undefined> {
  const beside = dataDir.replace(/\/+$/, '');
  const added = { ...(await storageSection(beside)), ...(await databaseSection(beside)) };
  if (Object.keys(added).length === 0) return config;
  const given = config === undefined ? {} : (JSON.parse(await readFile(config, 'utf8')) as object);
  if (Object.keys(added).every((name) => name in given)) return config;
  const file = `${beside}-config.json`;
  await writeFile(file, JSON.stringify({ ...added, ...given }));
  return file;
}

async function storageSection(beside: string): Promise<object> {
  const store = process.env.MEDIADESK_TEST_STORE;
  if (store === undefined) return {};
  await writeFile(`${beside}-key`, (JSON.parse(store) as S3Access).secretKey);
  return { storage: storageConfig(JSON.parse(store) as S3Access, `${basename(beside)}/`, `${beside}-key`) };
}

/** The section of a configuration for content in an object store. */
export function storageConfig({ endpoint, bucket, accessKey }: S3Access, prefix: string, secretFile: string) {
  return { kind: 's3', endpoint, bucket, prefix, access_key: accessKey, secret_key_file: secretFile };
}

/** Writes a configuration `NAME.json` for content in an object store, with the secret beside it. Returns its path. */
export async function writeStorageConfig(
  { folder, name, prefix }: { folder: string; name: string; prefix: string },
  { s3 }: { s3?: S3Access },
  more: object = {},
): Promise<string> {
  if (!s3) throw new Error('This store does not speak S3.');
  const secret = join(folder, 'secret');
  await writeFile(secret, s3.secretKey);
  const file = join(folder, `${name}.json`);
  await writeFile(file, JSON.stringify({ storage: { ...storageConfig(s3, prefix, secret), ...more } }));
  return file;
}
