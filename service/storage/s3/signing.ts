import { createHash, createHmac } from 'node:crypto';

/** An object store with the S3 protocol, and the place in it. */
export interface S3Place {
  /** Scheme, host and port. */
  endpoint: string;
  region: string;
  bucket: string;
  /** What the key of each object begins with; may be empty. */
  prefix: string;
  accessKey: string;
  secretKey: string;
}

export type S3Method = 'GET' | 'HEAD' | 'PUT' | 'POST' | 'DELETE';

interface Signed {
  method: S3Method;
  /** Without the prefix; empty for the bucket. */
  key: string;
  query?: Readonly<Record<string, string>>;
  /** Headers that the request must have; their names are in lower case. */
  headers?: Readonly<Record<string, string>>;
  at: Date;
  expiresS: number;
}

const ALGORITHM = 'AWS4-HMAC-SHA256';

/**
 * Returns the address of a request with a signed query (AWS Signature Version 4, whose body is not signed). Everyone who has the
 * address can send the request until it expires. Buckets are named in the path, which every store understands.
 */
export function signedUrl(place: S3Place, { method, key, query = {}, headers = {}, at, expiresS }: Signed): string {
  const { host } = new URL(place.endpoint);
  const path = pathOf(place, key);
  const scope = scopeOf(place, at);
  const signed = Object.entries({ ...headers, host }).sort(([a], [b]) => (a < b ? -1 : 1));
  const signedNames = signed.map(([name]) => name).join(';');
  const all = {
    ...query,
    'X-Amz-Algorithm': ALGORITHM,
    'X-Amz-Credential': `${place.accessKey}/${scope}`,
    'X-Amz-Date': stampOf(at),
    'X-Amz-Expires': String(expiresS),
    'X-Amz-SignedHeaders': signedNames,
  };
  const text = Object.entries(all)
    .map(([name, value]) => [escapeStrictly(name), escapeStrictly(value)] as const)
    .sort(([a], [b]) => (a < b ? -1 : 1))
    .map(([name, value]) => `${name}=${value}`)
    .join('&');
  const request = [
    method,
    path,
    text,
    ...signed.map((each) => each.join(':')),
    '',
    signedNames,
    'UNSIGNED-PAYLOAD',
  ].join('\n');
  const digest = createHash('sha256').update(request).digest('hex');
  const signature = sign(place, at, [ALGORITHM, stampOf(at), scope, digest].join('\n'));
  return `${place.endpoint}${path}?${text}&X-Amz-Signature=${signature}`;
}

/** Returns the path of an object, or of the bucket. */
export function pathOf({ bucket, prefix }: S3Place, key: string): string {
  const names = [bucket, ...(key === '' ? [] : (prefix + key).split('/'))];
  return `/${names.map(escapeStrictly).join('/')}`;
}

/** The fields by which a signature names its key. */
export function credentialFields(place: S3Place, at: Date): Record<string, string> {
  return {
    'x-amz-algorithm': ALGORITHM,
    'x-amz-credential': `${place.accessKey}/${scopeOf(place, at)}`,
    'x-amz-date': stampOf(at),
  };
}

/** Signs a text with the key of a day. Returns hexadecimal digits. */
export function sign(place: S3Place, at: Date, text: string): string {
  let key = Buffer.from(`AWS4${place.secretKey}`);
  for (const part of scopeOf(place, at).split('/')) key = createHmac('sha256', key).update(part).digest();
  return createHmac('sha256', key).update(text).digest('hex');
}

const scopeOf = ({ region }: S3Place, at: Date) => `${stampOf(at).slice(0, 8)}/${region}/s3/aws4_request`;
/** For example 20260131T235959Z. */
const stampOf = (at: Date) => at.toISOString().replace(/[-:]|\.\d+/g, '');

/** The signature wants every character escaped that is not unreserved. */
function escapeStrictly(text: string): string {
  return encodeURIComponent(text).replace(/[!'()*]/g, (c) => `%${c.charCodeAt(0).toString(16).toUpperCase()}`);
}
