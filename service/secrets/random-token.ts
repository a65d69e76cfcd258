import { createHash, randomBytes } from 'node:crypto';

/** An unguessable text that is safe in URLs and headers. */
export function randomToken(bytes = 32): string {
  return randomBytes(bytes).toString('base64url');
}

/** The stored form of a token: a leaked database gives no access. */
export function hashToken(token: string): string {
  return createHash('sha256').update(token).digest('base64url');
}
