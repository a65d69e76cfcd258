import { Unreadable } from './unreadable.ts';

/** A piece of encoded sound, and the time in seconds at which it begins. */
export interface EncodedSound {
  chunk: EncodedAudioChunk;
  startSeconds: number;
}

interface Decoding {
  config: AudioDecoderConfig;
  /** Pieces that may wait in the decoder. */
  queue: number;
  /** Takes decoded sound. Returns false when no more is needed. */
  take(sound: AudioData): boolean;
  /** A part could not be decoded; the sound continues at this time. */
  onFault(nextSeconds: number): void;
}

/** After so many faults the rest is not decoded. */
const MAX_FAULTS = 8;

/**
 * Decodes sound by the decoders of Chromium. Returns whether all of it could be decoded. A part that can't is left out. Throws the
 * errors of `pieces` after the pieces before it were decoded, those of `take`, and `Unreadable` for pieces that the decoder refuses.
 */
export async function decodeSound(pieces: AsyncIterable<EncodedSound>, decoding: Decoding): Promise<boolean> {
  const { config, queue, take, onFault } = decoding;
  let faults = 0;
  let isEnough = false;
  let thrown: { error: unknown } | null = null;
  let decoder: AudioDecoder | null = null;
  /** Ends the wait for the decoder. */
  let wake: () => void = () => {};

  const open = () => {
    const made = new AudioDecoder({
      output(sound) {
        try {
          if (!isEnough && thrown === null) isEnough = !take(sound);
        } catch (error) {
          thrown = { error };
        } finally {
          sound.close();
          wake();
        }
      },
      error() {
        if (decoder === made) decoder = null;
        faults += 1;
        wake();
      },
    });
    made.configure(config);
    made.addEventListener('dequeue', () => wake());
    return made;
  };
  const isOver = () => isEnough || thrown !== null || faults > MAX_FAULTS;
  const untilFree = (used: AudioDecoder, most: number) =>
    new Promise<void>((resolve) => {
      wake = () => {
        if (isOver() || decoder !== used || used.decodeQueueSize <= most) resolve();
      };
      wake();
    });
  const decode = (used: AudioDecoder, chunk: EncodedAudioChunk) => {
    try {
      used.decode(chunk);
    } catch (error) {
      throw error instanceof DOMException ? new Unreadable(error) : error;
    }
  };
  const finish = async () => {
    if (decoder === null) return;
    // A fault in the last pieces rejects this, and was counted by `error`.
    if (!isOver()) await decoder.flush().catch(() => undefined);
    // `error` removes the decoder while it is flushed.
    if ((decoder as AudioDecoder | null)?.state === 'configured') decoder.close();
  };

  try {
    for await (const { chunk, startSeconds } of pieces) {
      if (isOver()) break;
      if (decoder === null) {
        if (faults > 0) onFault(startSeconds);
        decoder = open();
      }
      decode(decoder, chunk);
      await untilFree(decoder, queue);
    }
  } finally {
    await finish();
  }
  if (thrown !== null) throw (thrown as { error: unknown }).error;
  return faults === 0;
}
