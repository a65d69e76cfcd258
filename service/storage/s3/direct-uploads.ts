import { randomBytes } from 'node:crypto';
import { type DirectUploads, isDirectName } from '../blobs.ts';
import { refusal, type S3Client } from './client.ts';
import type { NamesUnderWay } from './names-under-way.ts';
import { credentialFields, pathOf, sign } from './signing.ts';

const MIB = 1024 * 1024;
/** Stores accept at most 5 GiB in one request, and count the whole form. */
const MAX_BYTES = 5 * 1024 * MIB - MIB;
/** A store copies up to 5 GiB before it answers. */
const COPY_SILENCE_MS = 600_000;

interface DirectOptions {
  client: S3Client;
  underWay: NamesUnderWay;
  /** Notes that an object is deleted days later. */
  removeLater(name: string): Promise<void>;
  /** Whether there are forms for new uploads. */
  isOffered: boolean;
}

/** Forms by which clients send content to an object store (“POST Object”). The policy allows one key and exactly one size. */
export function createDirectUploads({ client, underWay, removeLater, isOffered }: DirectOptions): DirectUploads {
  const { place } = client;
  async function sizeOf(name: string): Promise<number | undefined> {
    const answer = await client.send({ method: 'HEAD', key: checked(name) });
    if (answer.status === 404) return undefined;
    if (answer.status !== 200) throw refusal(answer);
    const bytes = Number(answer.headers['content-length']);
    if (!Number.isSafeInteger(bytes)) throw refusal(answer);
    return bytes;
  }
  return {
    size: sizeOf,
    offer(sizeBytes, expiresAt) {
      if (!isOffered || sizeBytes > MAX_BYTES) return undefined;
      const at = new Date();
      const name = `incoming/${randomBytes(16).toString('hex')}`;
      const fixed = { key: place.prefix + name, success_action_status: '204', ...credentialFields(place, at) };
      const conditions = [
        { bucket: place.bucket },
        ...Object.entries(fixed).map(([field, value]) => ({ [field]: value })),
        ['content-length-range', sizeBytes, sizeBytes],
      ];
      const policy = Buffer.from(JSON.stringify({ expiration: expiresAt.toISOString(), conditions })).toString(
        'base64',
      );
      return {
        name,
        url: place.endpoint + pathOf(place, ''),
        fields: { ...fixed, policy, 'x-amz-signature': sign(place, at, policy) },
        fileParam: 'file',
      };
    },
    async adopt(name, signal) {
      const key = underWay.make();
      const signedHeaders = { 'x-amz-copy-source': pathOf(place, checked(name)) };
      const answer = await client.send({ method: 'PUT', key, signedHeaders, silenceMs: COPY_SILENCE_MS, signal });
      // A store also answers 404 when the bucket is gone: only both answers together count.
      if (
        answer.status === 404 &&
        answer.text.includes('<Code>NoSuchKey</Code>') &&
        (await sizeOf(name)) === undefined
      ) {
        return undefined;
      }
      if (answer.status !== 200 || !answer.text.includes('<ETag>')) throw refusal(answer);
      return key;
    },
    async remove(name) {
      await removeLater(checked(name));
    },
  };
}

function checked(name: string): string {
  if (!isDirectName(name)) throw new Error('Not the name of a direct upload.');
  return name;
}
