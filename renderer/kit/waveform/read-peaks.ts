import {
  ADTS,
  AudioSampleSink,
  EncodedPacketSink,
  FLAC,
  Input,
  type InputAudioTrack,
  MATROSKA,
  MP3,
  MP4,
  OGG,
  QTFF,
  UnsupportedInputFormatError,
  WAVE,
  WEBM,
} from 'mediabunny';
import type { NoWaveform, Waveform, WaveformResult } from '../../../shared/model/waveform/waveform.ts';
import { decodeSound, type EncodedSound } from './decode-sound.ts';
import { createMp3Groups, type Mp3Group } from './mp3-groups.ts';
import { createPeakCollector, MAX_CHANNELS, type PeakCollector, type WaveformLimits } from './peak-collector.ts';
import { openSound, type SoundSource, type WaveformSource } from './sound-source.ts';
import { readable, Unreadable, unreadableFacts } from './unreadable.ts';

/** What to read: one recording. */
export interface WaveformTask {
  source: WaveformSource;
  limits: WaveformLimits;
  /** The length of the recording as the library states it; 0: unknown. */
  knownSeconds: number;
}

/** What reading needs of its surroundings. */
interface ReadTools {
  /** Milliseconds of a clock that only goes forward. */
  now(): number;
  /** Called with what was read so far, and the number of bytes that came. */
  onProgress(waveform: Waveform, receivedBytes: number): void;
}

/** The outcome of reading, and the number of bytes that came from the library for it. */
export interface ReadPeaks {
  result: WaveformResult;
  receivedBytes: number;
}

const FORMATS = [MP4, QTFF, WEBM, MATROSKA, WAVE, OGG, FLAC, MP3, ADTS];
/** Pieces that may wait in a decoder: single packets, or groups of them. */
const QUEUE = { packets: 64, groups: 4 };

/**
 * Reads a recording from its beginning, and reduces it to peaks. A failure of the source or the decoder ends the peaks, or is the
 * reason why there are none. Repeats nothing after a failure. Throws errors of our own code only.
 */
export async function readPeaks({ source, limits, knownSeconds }: WaveformTask, tools: ReadTools): Promise<ReadPeaks> {
  const sound = openSound(source, { bytes: limits.bytes, timeLimit: AbortSignal.timeout(limits.ms) });
  const input = new Input({ source: sound.parts(), formats: FORMATS });
  const onProgress = (waveform: Waveform) => tools.onProgress(waveform, sound.receivedBytes());
  const collectorOf = (seconds: number) => createPeakCollector(limits, seconds, { now: tools.now, onProgress });
  try {
    const result = await readInput(input, sound, knownSeconds, collectorOf);
    return { result, receivedBytes: sound.receivedBytes() };
  } finally {
    input.dispose();
  }
}

async function readInput(
  input: Input,
  sound: SoundSource,
  knownSeconds: number,
  collectorOf: (statedSeconds: number) => PeakCollector,
): Promise<WaveformResult> {
  const found = await unreadableFacts(() => soundTrack(input)).catch(refusalOf);
  if (typeof found === 'string') return { kind: 'none', reason: sound.stopped() === null ? found : 'unreachable' };
  const collector = collectorOf(longest(knownSeconds, found.statedSeconds));
  const end = await readTrack(found, sound, collector).catch(endByError);
  return collector.result(collector.stopped() ?? sound.stopped() ?? end);
}

/** Returns why a recording without a readable track has no waveform. Throws other errors. */
function refusalOf(error: unknown): NoWaveform {
  if (!(error instanceof Unreadable)) throw error;
  if (error.isGone) return 'unreachable';
  return error.cause instanceof UnsupportedInputFormatError ? 'unknown-format' : 'damaged';
}

function endByError(error: unknown): Waveform['end'] {
  if (!(error instanceof Unreadable)) throw error;
  return error.isGone ? 'broken-off' : 'damaged';
}

/** Returns the longest of the stated lengths. A file can state anything: what is no length counts as unknown. */
function longest(...stated: (number | null)[]): number {
  return Math.max(0, ...stated.filter((seconds) => seconds !== null && Number.isFinite(seconds)).map(Number));
}

/** A track of sound, and the facts about it. */
interface SoundTrack {
  track: InputAudioTrack;
  codec: string;
  config: AudioDecoderConfig;
  isMp3: boolean;
  /** What the container says about its length. */
  statedSeconds: number | null;
}

/** Returns the first track of sound, or the reason why it can't be read. */
async function soundTrack(input: Input): Promise<SoundTrack | NoWaveform> {
  if (!(await input.canRead())) return 'unknown-format';
  const track = await input.getPrimaryAudioTrack();
  if (track === null) return 'no-sound';
  if ((await track.getNumberOfChannels()) > MAX_CHANNELS || !(await track.canDecode())) return 'undecodable';
  const [codec, config] = [await track.getCodec(), await track.getDecoderConfig()];
  if (codec === null || config === null) return 'damaged';
  const isMp3 = (await input.getFormat()) === MP3 && codec === 'mp3';
  return { track, codec, config, isMp3, statedSeconds: await track.getDurationFromMetadata() };
}

/** Reads the track by the way that is fastest for its format. */
async function readTrack(
  { track, codec, config, isMp3 }: SoundTrack,
  sound: SoundSource,
  collector: PeakCollector,
): Promise<'complete' | 'damaged'> {
  if (/^(?:pcm-|ulaw|alaw)/.test(codec)) {
    for await (const sample of readable(new AudioSampleSink(track).samples())) {
      const isMore = collector.take(sample, sample.timestamp);
      sample.close();
      if (!isMore) break;
    }
    return 'complete';
  }
  const isWhole = await decodeSound(isMp3 ? mp3Pieces(sound, config.sampleRate) : readable(packetPieces(track)), {
    config,
    queue: isMp3 ? QUEUE.groups : QUEUE.packets,
    // The decoder does not give the parts of a group their own times.
    take: (data) => collector.take(data, isMp3 ? null : data.timestamp / 1e6),
    onFault: collector.continueAt,
  });
  return isWhole ? 'complete' : 'damaged';
}

async function* packetPieces(track: InputAudioTrack): AsyncGenerator<EncodedSound> {
  for await (const packet of new EncodedPacketSink(track).packets()) {
    yield { chunk: packet.toEncodedAudioChunk(), startSeconds: packet.timestamp };
  }
}

async function* mp3Pieces(sound: SoundSource, sampleRate: number): AsyncGenerator<EncodedSound> {
  const groups = createMp3Groups();
  const pieceOf = ({ data, startSample }: Mp3Group): EncodedSound => {
    const startSeconds = startSample / sampleRate;
    return {
      chunk: new EncodedAudioChunk({ type: 'key', timestamp: Math.round(1e6 * startSeconds), data }),
      startSeconds,
    };
  };
  const stream = await unreadableFacts(() => sound.stream());
  const reader = stream.getReader();
  try {
    for (;;) {
      const { value, done } = await unreadableFacts(() => reader.read());
      for (const group of done ? groups.end() : groups.add(value)) yield pieceOf(group);
      if (done) return;
    }
  } finally {
    // Rejects with the error that ended the stream, which was thrown.
    await reader.cancel().catch(() => undefined);
  }
}
