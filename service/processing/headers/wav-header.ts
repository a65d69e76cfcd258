import type { ByteSource } from '../../../shared/formats/bytes/byte-source.ts';
import { FLAC_INFO_BYTES, flacInfo } from '../../../shared/formats/containers/flac-info.ts';
import { chunksIn, FORM_BYTES, riffForm } from '../../../shared/formats/containers/riff-chunks.ts';
import { BrokenFile, type Facts, facts } from './facts.ts';

/** For an RF64 file without its sizes. */
const RIFF = { isLittle: true, dataSize: null };

/**
 * Reads a WAV (RIFF, RF64 and BW64): its duration follows from the data chunk and the byte rate. An interrupted recorder leaves a
 * data length that is wrong or empty; then the length of the existing bytes is used.
 */
export async function readWav(source: ByteSource): Promise<Facts> {
  const form = riffForm(await source.read(0, FORM_BYTES)) ?? RIFF;
  let byteRate = 0;
  for await (const { type, from, size } of chunksIn(source, form, 12, source.sizeBytes)) {
    if (type === 'fmt ') {
      byteRate = (await source.read(from, 16)).uint32(8, form.isLittle);
      if (Number.isNaN(byteRate)) break;
    } else if (type === 'data') {
      if (byteRate === 0) throw new BrokenFile('The WAV file has no format.');
      const there = source.sizeBytes - from;
      const bytes = size === 0 || size === 0xffffffff ? there : Math.min(size, there);
      return facts('wav', 'audio', { durationS: bytes / byteRate, bitrate: byteRate * 8 });
    }
  }
  throw new BrokenFile('The WAV file has no sound data.');
}

/** FLAC: duration from the stream information, which is always the first block. */
export async function readFlac(source: ByteSource): Promise<Facts> {
  const info = flacInfo(await source.read(0, FLAC_INFO_BYTES));
  if (info === null) throw new BrokenFile('The FLAC file has no stream information.');
  const { sampleRate, samples } = info;
  if (sampleRate === 0) throw new BrokenFile('The FLAC file has no sample rate.');
  const durationS = samples === 0 ? null : samples / sampleRate;
  const bitrate = durationS ? Math.round((source.sizeBytes * 8) / durationS) : null;
  return facts('flac', 'audio', { durationS, bitrate });
}
