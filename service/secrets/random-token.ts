import { createHash, randomBytes } from 'node:crypto';

/** Returns an unguessable text that is safe in URLs and headers. */
export function randomToken(bytes = 32): string {
  return randomBytes(bytes).toString('base64url');
}

/** Returns the stored form of a token: a leaked database gives no access. */
export function hashToken(token: string): string {
  return createHash('sha256').update(token).digest('base64url');
}
