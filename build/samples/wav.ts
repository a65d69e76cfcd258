// Speech-like sound: a voice that hums syllables, 16-bit stereo at 48 kHz in a RIFF/WAVE file.

const SAMPLE_RATE = 48_000;
const CHANNELS = 2;
const BYTES_PER_FRAME = CHANNELS * 2;
const HEADER_BYTES = 44;

/** Seconds of distinct sound; longer recordings repeat it. */
const PHRASE_S = 4;

/** One sample of a voice: a gliding pitch with five harmonics, gated into syllables. */
function voice(seconds: number): number {
  const pitch = 130 + 25 * Math.sin(2 * Math.PI * 0.25 * seconds);
  const syllable = Math.max(0, Math.sin(2 * Math.PI * 3.5 * seconds)) * (seconds % PHRASE_S < 3.4 ? 1 : 0);
  let sum = 0;
  for (let harmonic = 1; harmonic <= 5; harmonic += 1) {
    sum += Math.sin(2 * Math.PI * pitch * harmonic * seconds) / harmonic;
  }
  return 0.3 * syllable * sum;
}

/** The phrase as interleaved little-endian samples; the right channel is a little softer. */
function phrase(): Buffer {
  const frames = PHRASE_S * SAMPLE_RATE;
  const data = Buffer.alloc(frames * BYTES_PER_FRAME);
  for (let frame = 0; frame < frames; frame += 1) {
    const value = Math.max(-1, Math.min(1, voice(frame / SAMPLE_RATE)));
    data.writeInt16LE(Math.round(value * 32_000), frame * BYTES_PER_FRAME);
    data.writeInt16LE(Math.round(value * 26_000), frame * BYTES_PER_FRAME + 2);
  }
  return data;
}

function header(dataBytes: number): Buffer {
  const bytes = Buffer.alloc(HEADER_BYTES);
  bytes.write('RIFF', 0, 'latin1');
  bytes.writeUInt32LE(HEADER_BYTES - 8 + dataBytes, 4);
  bytes.write('WAVEfmt ', 8, 'latin1');
  bytes.writeUInt32LE(16, 16);
  bytes.writeUInt16LE(1, 20); // PCM
  bytes.writeUInt16LE(CHANNELS, 22);
  bytes.writeUInt32LE(SAMPLE_RATE, 24);
  bytes.writeUInt32LE(SAMPLE_RATE * BYTES_PER_FRAME, 28);
  bytes.writeUInt16LE(BYTES_PER_FRAME, 32);
  bytes.writeUInt16LE(16, 34);
  bytes.write('data', 36, 'latin1');
  bytes.writeUInt32LE(dataBytes, 40);
  return bytes;
}

/** The chunks of a WAV file that lasts exactly `seconds`. */
export function* wavChunks(seconds: number): Generator<Buffer> {
  let left = Math.round(seconds * SAMPLE_RATE) * BYTES_PER_FRAME;
  yield header(left);
  const sound = phrase();
  while (left > 0) {
    const chunk = sound.subarray(0, Math.min(left, sound.length));
    yield chunk;
    left -= chunk.length;
  }
}
