import { create } from 'zustand';
import type { MediaRef } from '../../../../../shared/contract/media-ref.ts';
import type { Site } from '../../../../../shared/contract/sites.ts';
import type { WaveformResult } from '../../../../../shared/model/waveform/waveform.ts';
import {
  decodeWaveform,
  encodeWaveform,
  type StoredWaveform,
} from '../../../../../shared/model/waveform/waveform-file.ts';
import { call } from '../../../../kit/bridge/bridge.ts';
import { throwDefect } from '../../../../kit/text/errors.ts';

/** A recording of an item. */
export interface SoundRef extends MediaRef {
  /**
   * The identifier of an original that “Play” does not play, which the user opened from the list of files; null or absent: the
   * recording that “Play” plays. Only the waveform of that one is the item's, and is stored.
   */
  otherOriginalId?: string | null;
}

export interface KnownWaveform extends StoredWaveform {
  /** It is being read: more follows. */
  isReading: boolean;
  /** Another attempt would give the same result. */
  isFinal: boolean;
}

/** More than any window shows. */
const MAX_KNOWN = 500;
/** The most bytes that are read of one recording of a library. */
export const MOST_RECORDING_BYTES = 512 * 1024 * 1024;

type KnownOfSite = ReadonlyMap<string, KnownWaveform | null>;

/** The waveforms of this session by account and recording; the last used ones. null: nothing is stored on this computer. */
export const useWaveforms = create<{ bySite: ReadonlyMap<string, KnownOfSite> }>(() => ({ bySite: new Map() }));

const keyOf = ({ mediaId, otherOriginalId = null }: SoundRef) => JSON.stringify([mediaId, otherOriginalId]);

/** The accounts that are not signed out; null before they were reported. */
let usableSites: ReadonlySet<string> | null = null;

/** Returns the waveform of a recording as far as it is known; undefined: it was not looked for. */
export function knownWaveform(ref: SoundRef, { bySite } = useWaveforms.getState()): KnownWaveform | null | undefined {
  return bySite.get(ref.siteId)?.get(keyOf(ref));
}

/** Notes the waveform of a recording. One that was still read at the sign-out of its account is dropped. */
export function takeWaveform(ref: SoundRef, waveform: KnownWaveform | null): void {
  if (usableSites?.has(ref.siteId) === false) return;
  useWaveforms.setState(({ bySite }) => {
    const others = [...(bySite.get(ref.siteId) ?? [])].filter(([key]) => key !== keyOf(ref));
    const kept = others.slice(Math.max(0, others.length - MAX_KNOWN + 1));
    return { bySite: new Map([...bySite, [ref.siteId, new Map([...kept, [keyOf(ref), waveform]])]]) };
  });
}

const reads = new Map<string, Promise<KnownWaveform | null>>();

/** Returns the waveform of a recording from this session or from this computer; null without one. The library gets no request. */
export function readWaveform(ref: SoundRef): Promise<KnownWaveform | null> {
  const { siteId, mediaId, otherOriginalId = null } = ref;
  const known = knownWaveform(ref);
  if (known !== undefined) return Promise.resolve(known);
  if (otherOriginalId !== null) return Promise.resolve(null);
  const key = JSON.stringify([siteId, mediaId]);
  const running = reads.get(key);
  if (running !== undefined) return running;
  const read = call('waveforms.read', { siteId, mediaId })
    .catch((error: unknown) => {
      // The waveform is computed again.
      throwDefect(error);
      return null;
    })
    .then((stored) => {
      const waveform = stored === null ? null : decodeWaveform(stored.bytes);
      const isWaveform = waveform !== null && isFinal(waveform.result, MOST_RECORDING_BYTES);
      const found = isWaveform ? { ...waveform, isReading: false, isFinal: true } : null;
      if (knownWaveform(ref) === undefined) takeWaveform(ref, found);
      return found;
    })
    .finally(() => reads.delete(key));
  reads.set(key, read);
  return read;
}

/** Stores a final waveform of an item on this computer. */
export function storeWaveform(ref: SoundRef, { isReading, isFinal, ...waveform }: KnownWaveform): void {
  if (!isReading && isFinal) store(ref, waveform);
}

/** Drops the waveform of an item whose recording was replaced, also the stored one. */
export function dropWaveform(ref: SoundRef): void {
  takeWaveform(ref, null);
  // Counts as none when it is read.
  store(ref, { fileId: '', itemVersion: '', result: { kind: 'none', reason: 'unreachable' } });
}

function store({ siteId, mediaId, otherOriginalId = null }: SoundRef, waveform: StoredWaveform): void {
  if (otherOriginalId !== null) return;
  // When it is not stored, the next session computes the waveform again.
  void call('waveforms.store', { siteId, mediaId, bytes: encodeWaveform(waveform) }).catch(throwDefect);
}

/** A file was uploaded as a new item: its waveform was read from this computer. */
export function takeUploadedWaveform(ref: MediaRef, fileId: string, result: WaveformResult): void {
  if (!isFinal(result, Number.POSITIVE_INFINITY)) return;
  const waveform = { fileId, itemVersion: '', result, isReading: false, isFinal: true };
  takeWaveform(ref, waveform);
  storeWaveform(ref, waveform);
}

/** Returns whether another attempt would give the same result. `limitBytes`: the limit of this attempt. */
export function isFinal(result: WaveformResult, limitBytes: number): boolean {
  if (result.kind === 'none') return result.reason !== 'unreachable';
  // The player reads more bytes than the grid.
  if (result.end === 'size-limit') return limitBytes >= MOST_RECORDING_BYTES;
  return result.end !== 'broken-off';
}

/** Forgets the waveforms of accounts that are signed out; the engine removes the stored ones. Returns the other accounts. */
export function forgetSignedOut(sites: readonly Site[]): ReadonlySet<string> {
  const usable = new Set(sites.filter(({ state }) => state !== 'signed-out').map(({ id }) => id));
  usableSites = usable;
  useWaveforms.setState(({ bySite }) => ({ bySite: new Map([...bySite].filter(([siteId]) => usable.has(siteId))) }));
  return usable;
}
