import { z } from 'zod';
import { decodeWaveform, MAX_WAVEFORM_BYTES } from '../model/waveform/waveform-file.ts';
import { mediaRef } from './media-ref.ts';

const storedRef = mediaRef.extend({ mediaId: mediaRef.shape.mediaId.min(1) });
/** The bytes of `encodeWaveform`. */
const waveformBytes = z.instanceof(Uint8Array).refine(({ length }) => length <= MAX_WAVEFORM_BYTES);

/** The calls about waveforms of items, which the window computes and the engine stores. */
export const WAVEFORM_CALLS = {
  /** Returns the stored waveform of an item; null when there is none. The library gets no request. */
  'waveforms.read': { input: storedRef, output: z.object({ bytes: waveformBytes }).nullable() },
  /**
   * Stores the waveform of an item on this computer, in place of its earlier one. Does nothing when the account is signed out. Throws
   * `input.invalid` for bytes that are no waveform.
   */
  'waveforms.store': {
    input: storedRef.extend({ bytes: waveformBytes.refine((bytes) => decodeWaveform(bytes) !== null) }),
    output: z.null(),
  },
} as const;
