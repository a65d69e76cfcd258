// The waveform of a recording: its lowest and highest sample in equal pieces of time, over all channels.

/**
 * Why the peaks end. `complete`: at the end of the recording. `limit`: the recording has more seconds than are read. `size-limit`: its
 * file has more bytes than are read. `damaged`: the recording is shorter than its stated length, or a part can't be decoded.
 * `broken-off`: the rest could not be read in time, or the connection was lost.
 */
export const WAVEFORM_ENDS = ['complete', 'limit', 'damaged', 'broken-off', 'size-limit'] as const;
type WaveformEnd = (typeof WAVEFORM_ENDS)[number];

/**
 * Why a recording has no waveform. `no-sound`: it contains none. `unknown-format`: it is no recording, or in a container that can't
 * be read. `undecodable`: this computer can't decode its sound. `damaged`: nothing of it can be decoded. `unreachable`: its bytes
 * can't be read now, or not in time.
 */
export const NO_WAVEFORM = ['no-sound', 'unknown-format', 'undecodable', 'damaged', 'unreachable'] as const;
export type NoWaveform = (typeof NO_WAVEFORM)[number];

/** The samples are integers from -32767 to 32767, full scale; what is louder is clipped. All three arrays have the same length. */
export interface Waveform {
  kind: 'peaks';
  /** The length of each piece. */
  pieceSeconds: number;
  lowest: Int16Array;
  highest: Int16Array;
  /** 1: at least three samples of a channel in a row were at full scale. */
  clipped: Uint8Array;
  /** The length of what was read. */
  readSeconds: number;
  /** The length of the recording, as far as it is known; at least `readSeconds`. */
  totalSeconds: number;
  end: WaveformEnd;
}

export type WaveformResult = Waveform | { kind: 'none'; reason: NoWaveform };

/** The value of a sample at full scale. */
export const FULL_SCALE = 32767;

/** Returns the number of seconds that a waveform shows: the whole recording when it was read to its end. */
export function shownSeconds({ totalSeconds, readSeconds, end }: Waveform): number {
  return end === 'complete' ? readSeconds : Math.max(totalSeconds, readSeconds);
}
