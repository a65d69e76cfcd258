import { z } from 'zod';
import { readSecret, type SecretSource } from '../secrets/secret-source.ts';
import { hasSecret, secretEnv, secretFile } from './secret-place.ts';

/** The path of what workers have claimed. */
export const CLAIMS_PATH = '/workers/claims';

/** Shorter tokens can be guessed. */
const MIN_TOKEN = 32;

/** Processes on this or other computers that process files for the service. */
export const workersSchema = z
  .strictObject({
    token_env: secretEnv,
    token_file: secretFile,
    /** Whether the service also processes files itself. */
    service_works: z.boolean().default(false),
  })
  .superRefine(hasSecret('token', readWorkerToken));

export type WorkersConfig = z.output<typeof workersSchema>;

/** Reads the token that workers send. Throws an error with a sentence for the operator. */
export function readWorkerToken(source: SecretSource): string {
  const token = readSecret(source);
  if (!/^[\x21-\x7e]+$/.test(token) || token.length < MIN_TOKEN) {
    throw new Error(`The token of the workers must have at least ${MIN_TOKEN} characters, without spaces.`);
  }
  return token;
}

/** Returns the token that workers send. */
export function workerTokenOf({ token_env: env, token_file: file }: WorkersConfig): string {
  return readWorkerToken({ env, file });
}
