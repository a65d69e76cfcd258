import type { CustomFetch } from 'openid-client';
import { isPrivateChannel } from '../wire/web-address.ts';

/** More than a provider's keys, claims or metadata take. */
const MAX_ANSWER_BYTES = 1024 * 1024;

/** Why a provider could not be asked. `code` is for the log. */
export class ProviderFault extends Error {
  readonly code: 'too-large' | 'not-private' | 'unreachable' | 'timeout' | 'other-issuer' | 'no-secret';

  constructor(code: ProviderFault['code'], message: string, options?: ErrorOptions) {
    super(message, options);
    this.code = code;
  }
}

/**
 * Sends a request to a provider and reads its answer to the end: at most 1 MiB after decompression, within `limitMs`, without
 * redirects, and over https unless the address is on this computer. Rejects with `ProviderFault`.
 */
export function createBoundedFetch(limitMs: number): CustomFetch {
  return async (url, { method, headers, body, signal }) => {
    const address = URL.parse(url);
    if (!address || !isPrivateChannel(address)) {
      throw new ProviderFault('not-private', 'An address of the provider is not https.');
    }
    const limit = AbortSignal.timeout(limitMs);
    try {
      const response = await fetch(address, {
        method,
        headers,
        ...(body === undefined ? {} : { body: body as BodyInit | null }),
        redirect: 'manual',
        signal: signal === undefined ? limit : AbortSignal.any([limit, signal]),
      });
      return await readWhole(response);
    } catch (error) {
      if (error instanceof ProviderFault) throw error;
      if (limit.aborted) throw new ProviderFault('timeout', 'The provider did not answer in time.');
      throw new ProviderFault('unreachable', 'The provider can’t be reached.', { cause: error });
    }
  };
}

/** Returns an answer with its body in memory. */
async function readWhole({ status, statusText, headers: given, body }: Response): Promise<Response> {
  const bytes = await readBounded(body);
  const headers = new Headers(given);
  // The body is decompressed already.
  headers.delete('content-encoding');
  headers.delete('content-length');
  const hasBody = ![204, 205, 304].includes(status);
  return new Response(hasBody ? bytes : null, { status, statusText, headers });
}

async function readBounded(body: ReadableStream<Uint8Array> | null): Promise<Uint8Array<ArrayBuffer>> {
  const parts: Uint8Array[] = [];
  let size = 0;
  // Leaving the loop early ends the connection.
  for await (const part of body ?? []) {
    size += part.byteLength;
    if (size > MAX_ANSWER_BYTES) throw new ProviderFault('too-large', 'The answer of the provider is too large.');
    parts.push(part);
  }
  return new Uint8Array(Buffer.concat(parts));
}
