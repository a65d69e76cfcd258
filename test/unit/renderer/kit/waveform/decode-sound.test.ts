// The handling of a decoder: the decoders of Chromium themselves are used in test/e2e/library/waveform-formats.test.ts.
import { beforeEach, describe, expect, it } from 'vitest';
import { decodeSound, type EncodedSound } from '../../../../../renderer/kit/waveform/decode-sound.ts';
import { Unreadable } from '../../../../../renderer/kit/waveform/unreadable.ts';

interface Callbacks {
  output(sound: unknown): void;
  error(error: unknown): void;
}

/** A decoder that gives the sound of its pieces when it is flushed. */
class FlushedDecoder extends EventTarget {
  static made: FlushedDecoder[] = [];
  state: 'unconfigured' | 'configured' | 'closed' = 'unconfigured';
  readonly decodeQueueSize = 0;
  isFlushed = false;
  readonly #callbacks: Callbacks;
  #pieces: unknown[] = [];

  constructor(callbacks: Callbacks) {
    super();
    this.#callbacks = callbacks;
    FlushedDecoder.made.push(this);
  }
  configure(): void {
    this.state = 'configured';
  }
  decode(chunk: unknown): void {
    if (chunk === 'refused') throw new DOMException('A key frame is required.', 'DataError');
    this.#pieces.push(chunk);
  }
  async flush(): Promise<void> {
    this.isFlushed = true;
    for (const piece of this.#pieces.splice(0)) this.#callbacks.output({ piece, close: () => {} });
  }
  close(): void {
    this.state = 'closed';
  }
}

beforeEach(() => {
  FlushedDecoder.made = [];
  Object.assign(globalThis, { AudioDecoder: FlushedDecoder });
});

async function* pieces(chunks: readonly unknown[], error?: Error): AsyncGenerator<EncodedSound> {
  for (const chunk of chunks) yield { chunk: chunk as EncodedAudioChunk, startSeconds: 0 };
  if (error !== undefined) throw error;
}

async function decode(source: AsyncIterable<EncodedSound>, take: (sound: unknown) => boolean = () => true) {
  const taken: unknown[] = [];
  const isWhole = await decodeSound(source, {
    config: { codec: 'mp3', sampleRate: 8000, numberOfChannels: 1 },
    queue: 4,
    onFault: () => {},
    take: (sound) => {
      taken.push(sound);
      return take(sound);
    },
  }).catch((error: unknown) => error);
  const [decoder] = FlushedDecoder.made;
  return { outcome: isWhole, taken: taken.length, isFlushed: decoder?.isFlushed, state: decoder?.state };
}

describe('the decoder of a recording', () => {
  it('is flushed and closed after the last piece', async () => {
    expect(await decode(pieces(['1', '2']))).toEqual({ outcome: true, taken: 2, isFlushed: true, state: 'closed' });
  });

  it('is flushed and closed when reading fails in the middle, so that the sound before it is not lost', async () => {
    const error = new Unreadable(new Error('broken off'));
    const found = await decode(pieces(['1', '2'], error));
    expect(found).toEqual({ outcome: error, taken: 2, isFlushed: true, state: 'closed' });
  });

  it('is closed when it refuses a piece: that is a fact about the file', async () => {
    const found = await decode(pieces(['1', 'refused']));
    expect(found).toMatchObject({ outcome: expect.any(Unreadable), taken: 1, state: 'closed' });
  });

  it('is closed when our own code fails, whose error is passed on', async () => {
    const error = new TypeError('own fault');
    const found = await decode(pieces(['1']), () => {
      throw error;
    });
    expect(found).toMatchObject({ outcome: error, state: 'closed' });
  });
});
