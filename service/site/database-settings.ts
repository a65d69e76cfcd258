import { z } from 'zod';
import { readSecret, type SecretSource } from '../secrets/secret-source.ts';
import { hasSecret, secretEnv, secretFile } from './secret-place.ts';

/** The database of a library in PostgreSQL. Its address may have a password: as a whole, it is a secret. */
export const databaseSchema = z
  .strictObject({
    url_env: secretEnv,
    url_file: secretFile,
    /** Connections of each process; one more listens. */
    connections: z.int().min(3).max(200).default(10),
  })
  .superRefine(hasSecret('url', readDatabaseUrl));

export type DatabaseConfig = z.output<typeof databaseSchema>;

/** Reads the address of the database. Throws an error with a sentence for the operator; it has no part of the address. */
function readDatabaseUrl(source: SecretSource): string {
  const text = readSecret(source);
  const url = URL.canParse(text) ? new URL(text) : undefined;
  const isPostgres = url?.protocol === 'postgresql:' || url?.protocol === 'postgres:';
  if (!isPostgres || url.pathname.length < 2) {
    throw new Error('The address of the database must be postgresql://USER:PASSWORD@HOST:PORT/DATABASE.');
  }
  return text;
}

/** Returns the address of the database. */
export function databaseUrlOf({ url_env: env, url_file: file }: DatabaseConfig): string {
  return readDatabaseUrl({ env, file });
}
