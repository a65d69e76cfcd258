import { createHash } from 'node:crypto';
import type { StoredFile } from './store.ts';

/** Hashes an answer as it comes, however large it is. */
export async function hashOf(response: Response): Promise<StoredFile> {
  const hash = createHash('sha256');
  let sizeBytes = 0;
  for await (const chunk of response.body ?? []) {
    hash.update(chunk);
    sizeBytes += chunk.length;
  }
  return { sha256: hash.digest('hex'), sizeBytes };
}
