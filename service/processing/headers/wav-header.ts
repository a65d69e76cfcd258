import type { ByteSource } from './byte-source.ts';
import { BrokenFile, type Facts, facts } from './facts.ts';

const MAX_CHUNKS = 10_000;

/**
 * Reads a WAV (RIFF and RF64): its duration follows from the data chunk and the byte rate. An interrupted recorder leaves a data
 * length that is wrong or empty; then the length of the existing bytes is used.
 */
export async function readWav(source: ByteSource): Promise<Facts> {
  let byteRate = 0;
  let position = 12;
  for (let chunk = 0; chunk < MAX_CHUNKS && position + 8 <= source.sizeBytes; chunk += 1) {
    const head = await source.read(position, 8);
    const id = head.toString('latin1', 0, 4);
    const length = head.readUInt32LE(4);
    if (id === 'fmt ') {
      const format = await source.read(position + 8, 16);
      if (format.length < 16) break;
      byteRate = format.readUInt32LE(8);
    } else if (id === 'data') {
      if (byteRate === 0) throw new BrokenFile('The WAV file has no format.');
      const there = source.sizeBytes - position - 8;
      const bytes = length === 0 || length === 0xffffffff ? there : Math.min(length, there);
      return facts('wav', 'audio', { durationS: bytes / byteRate, bitrate: byteRate * 8 });
    }
    position += 8 + length + (length % 2);
  }
  throw new BrokenFile('The WAV file has no sound data.');
}

/** FLAC: duration from the stream information, which is always the first block. */
export async function readFlac(source: ByteSource): Promise<Facts> {
  const head = await source.read(0, 42);
  if (head.length < 42 || ((head[4] ?? 0) & 0x7f) !== 0)
    throw new BrokenFile('The FLAC file has no stream information.');
  const rate = (head.readUInt32BE(18) >>> 12) & 0xfffff;
  const samples = (head.readUInt8(21) & 0x0f) * 2 ** 32 + head.readUInt32BE(22);
  if (rate === 0) throw new BrokenFile('The FLAC file has no sample rate.');
  const durationS = samples === 0 ? null : samples / rate;
  const bitrate = durationS ? Math.round((source.sizeBytes * 8) / durationS) : null;
  return facts('flac', 'audio', { durationS, bitrate });
}
