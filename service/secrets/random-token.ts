import { createHash, randomBytes } from 'node:crypto';

/** An unguessable text, safe in addresses and headers. */
export function randomToken(bytes = 32): string {
  return randomBytes(bytes).toString('base64url');
}

/** How a token is kept: a leaked database gives nobody access. */
export function hashToken(token: string): string {
  return createHash('sha256').update(token).digest('base64url');
}
