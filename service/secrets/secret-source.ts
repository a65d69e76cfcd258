import { readFileSync, statSync } from 'node:fs';

const MAX_FILE_BYTES = 8 * 1024;

/** Where a secret is: in an environment variable, or in a file. */
export interface SecretSource {
  env?: string | undefined;
  file?: string | undefined;
}

/**
 * Returns a secret as it is now: the file may have been replaced by a newer one. Throws an error with a sentence for the operator,
 * without the secret.
 */
export function readSecret({ env: variable, file }: SecretSource): string {
  if (variable !== undefined) {
    const secret = process.env[variable] ?? '';
    if (secret === '') throw new Error(`The environment variable ${variable} is not set.`);
    return secret;
  }
  const secret = readReadableFile(file ?? '').trim();
  if (secret === '') throw new Error(`The file ${file} is empty.`);
  return secret;
}

function readReadableFile(file: string): string {
  try {
    return readSecretFile(file);
  } catch (error) {
    const { code } = error as NodeJS.ErrnoException;
    if (code === 'ENOENT') throw new Error(`There is no file ${file}.`);
    if (code === 'EACCES') throw new Error(`The user of this process can’t read ${file}.`);
    throw error;
  }
}

function readSecretFile(file: string): string {
  const stats = statSync(file);
  if (!stats.isFile() || stats.size > MAX_FILE_BYTES) throw new Error(`${file} is not a file with a secret.`);
  return readFileSync(file, 'utf8');
}
