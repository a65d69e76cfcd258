import { BlobSource, UrlSource } from 'mediabunny';

/** The bytes of a recording: an address below `app://`, or a file that was dropped into the window. */
export type WaveformSource = { address: string } | { file: Blob };

const CACHE_BYTES = 4 * 1024 * 1024;
/** A server that ends its answers early causes further requests. A whole file needs far fewer. */
const MAX_REQUESTS = 400;

/** Why no more bytes came: the limit was reached, or they can't be read now. A decoder reports that as an error of its own. */
type SourceStop = 'size-limit' | 'broken-off';

/** What may be used for the bytes of a recording. */
interface SourceLimits {
  bytes: number;
  /** Ends the requests. */
  timeLimit: AbortSignal;
}

/** A recording whose bytes are counted. Nothing is repeated after a failure. */
export interface SoundSource {
  /** For a reader of containers, which reads parts in any order. */
  parts(): UrlSource | BlobSource;
  /** All bytes from the beginning; the stream fails when it stops. */
  stream(): Promise<ReadableStream<Uint8Array>>;
  stopped(): SourceStop | null;
  receivedBytes(): number;
}

export function openSound(source: WaveformSource, limits: SourceLimits): SoundSource {
  let stop: SourceStop | null = null;
  let requests = 0;
  let received = 0;
  const failed = (reason: SourceStop) => {
    stop ??= reason;
    return new Error(stop);
  };
  /** Readers abort requests that they no longer need: that is no failure. */
  const failedUnless = (signal: AbortSignal | null, error: unknown) =>
    signal?.aborted === true ? error : failed('broken-off');

  /** `statedBytes`: the length of the body, if the server says it; `signal`: that of the reader. */
  function counted(
    body: ReadableStream<Uint8Array>,
    statedBytes: number | null,
    signal: AbortSignal | null,
  ): ReadableStream<Uint8Array> {
    const reader = body.getReader();
    let ofBody = 0;
    return new ReadableStream<Uint8Array>(
      {
        async pull(controller) {
          const { value, done } = await reader.read().catch((error: unknown) => {
            throw failedUnless(signal, error);
          });
          if (done) {
            if (statedBytes !== null && ofBody < statedBytes) throw failed('broken-off');
            controller.close();
            return;
          }
          ofBody += value.length;
          received += value.length;
          if (received > limits.bytes) {
            const error = failed('size-limit');
            await reader.cancel(error);
            throw error;
          }
          controller.enqueue(value);
        },
        cancel: (reason) => reader.cancel(reason),
      },
      { highWaterMark: 0 },
    );
  }

  async function request(address: RequestInfo | URL, options?: RequestInit): Promise<Response> {
    requests += 1;
    if (requests > MAX_REQUESTS) throw failed('broken-off');
    const own = options?.signal ?? null;
    const signal = own === null ? limits.timeLimit : AbortSignal.any([own, limits.timeLimit]);
    const answer = await fetch(address, { ...options, signal }).catch((error: unknown) => {
      throw failedUnless(own, error);
    });
    if (!answer.ok || answer.body === null) throw failed('broken-off');
    const { status, headers, body } = answer;
    const stated = headers.get('content-length');
    return new Response(counted(body, stated === null ? null : Number(stated), own), { status, headers });
  }

  return {
    parts: () =>
      'file' in source
        ? new BlobSource(source.file, { maxCacheSize: CACHE_BYTES })
        : new UrlSource(source.address, {
            maxCacheSize: CACHE_BYTES,
            parallelism: 1,
            getRetryDelay: () => null,
            handleUnhandledError: () => undefined,
            fetchFn: request,
          }),
    async stream() {
      if ('file' in source) return counted(source.file.stream(), null, null);
      return (await request(source.address)).body as ReadableStream<Uint8Array>;
    },
    stopped: () => stop,
    receivedBytes: () => received,
  };
}
