import { z } from 'zod';
import { readSecret } from '../secrets/secret-source.ts';

/** The path of what workers have claimed. */
export const CLAIMS_PATH = '/workers/claims';

/** Shorter tokens can be guessed. */
const MIN_TOKEN = 32;

/** Processes on this or other computers that process files for the service. */
export const workersSchema = z
  .strictObject({
    token_env: z
      .string()
      .regex(/^[A-Za-z_]\w{0,100}$/, 'must be the name of an environment variable')
      .optional(),
    token_file: z.string().min(1).max(1000).optional(),
    /** Whether the service also processes files itself. */
    service_works: z.boolean().default(false),
  })
  .superRefine(({ token_env: env, token_file: file }, context) => {
    const path = [file === undefined ? 'token_env' : 'token_file'];
    const refuse = (message: string) => context.addIssue({ code: 'custom', message, path });
    if ((env === undefined) === (file === undefined)) return refuse('must have either token_env or token_file');
    try {
      readWorkerToken({ env, file });
    } catch (error) {
      refuse((error as Error).message);
    }
  });

export type WorkersConfig = z.output<typeof workersSchema>;

/** Reads the token that workers send. Throws an error with a sentence for the operator. */
export function readWorkerToken(source: Parameters<typeof readSecret>[0]): string {
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
