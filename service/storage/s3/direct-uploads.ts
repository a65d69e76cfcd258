import { randomBytes } from 'node:crypto';
import { type DirectUploads, isDirectName } from '../blobs.ts';
import { refusal, type S3Client } from './client.ts';
import { credentialFields, pathOf, sign } from './signing.ts';

const MIB = 1024 * 1024;
/** Stores accept at most 5 GiB in one request, and count the whole form. */
const MAX_BYTES = 5 * 1024 * MIB - MIB;
/** A store copies up to 5 GiB before it answers. */
const COPY_SILENCE_MS = 600_000;

/** Forms by which clients send content to an object store (“POST Object”). The policy allows one key and exactly one size. */
export function createDirectUploads(client: S3Client): DirectUploads {
  const { place } = client;
  return {
    offer(sizeBytes, expiresAt) {
      if (sizeBytes > MAX_BYTES) return undefined;
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
    async size(name) {
      const answer = await client.send({ method: 'HEAD', key: checked(name) });
      if (answer.status === 404) return undefined;
      if (answer.status !== 200) throw refusal(answer);
      return Number(answer.headers['content-length']);
    },
    async adopt(name) {
      const key = randomBytes(16).toString('hex');
      const signedHeaders = { 'x-amz-copy-source': pathOf(place, checked(name)) };
      const answer = await client.send({ method: 'PUT', key, signedHeaders, silenceMs: COPY_SILENCE_MS });
      if (answer.status !== 200 || !answer.text.includes('<ETag>')) throw refusal(answer);
      return key;
    },
  };
}

function checked(name: string): string {
  if (!isDirectName(name)) throw new Error('Not the name of a direct upload.');
  return name;
}
