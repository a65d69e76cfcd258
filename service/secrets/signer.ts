import { createHmac, timingSafeEqual } from 'node:crypto';

/** Creates and checks opaque tokens: a small JSON payload with an HMAC, bound to one purpose. */
export interface Signer {
  sign(purpose: string, payload: object): string;
  /** Returns the payload; undefined when this signer did not create the token for this purpose. */
  verify<T>(purpose: string, token: string): T | undefined;
  /** A keyed digest of a text, for form tokens. */
  digest(purpose: string, text: string): string;
}

export function createSigner(key: Buffer): Signer {
  function mac(purpose: string, text: string): Buffer {
    return createHmac('sha256', key).update(purpose).update('\0').update(text).digest();
  }
  return {
    sign(purpose, payload) {
      const body = Buffer.from(JSON.stringify(payload)).toString('base64url');
      return `${body}.${mac(purpose, body).toString('base64url')}`;
    },
    verify<T>(purpose: string, token: string): T | undefined {
      const [body, tag, more] = token.split('.');
      if (!body || !tag || more !== undefined) return undefined;
      // Compares the encoded text instead of the decoded bytes: decoding ignores characters outside base64, so one signature
      // would have many spellings.
      if (!sameText(tag, mac(purpose, body).toString('base64url'))) return undefined;
      return JSON.parse(Buffer.from(body, 'base64url').toString('utf8')) as T;
    },
    digest: (purpose, text) => mac(purpose, text).toString('base64url'),
  };
}

/** Compares two texts in constant time. */
export function sameText(a: string, b: string): boolean {
  const left = Buffer.from(a);
  const right = Buffer.from(b);
  return left.length === right.length && timingSafeEqual(left, right);
}
