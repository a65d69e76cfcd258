import { beforeEach, describe, expect, it } from 'vitest';
import {
  dropWaveform,
  forgetSignedOut,
  isFinal,
  type KnownWaveform,
  knownWaveform,
  MOST_RECORDING_BYTES,
  readWaveform,
  storeWaveform,
  takeUploadedWaveform,
  takeWaveform,
} from '../../../../../../../renderer/features/library/state/waveforms/waveform-store.ts';
import type { Site } from '../../../../../../../shared/contract/sites.ts';
import type { NoWaveform, Waveform } from '../../../../../../../shared/model/waveform/waveform.ts';
import { decodeWaveform, encodeWaveform } from '../../../../../../../shared/model/waveform/waveform-file.ts';
import { HeldBridge } from '../../../../../../helpers/desktop/held-bridge.ts';

let bridge: HeldBridge;
let ref: { siteId: string; mediaId: string };
let last = 0;
beforeEach(() => {
  bridge = new HeldBridge();
  forgetSignedOut([]);
  forgetSignedOut([site('a', 'signed-in'), site('b', 'signed-in')]);
  ref = { siteId: 'a', mediaId: String(++last) };
});

const peaks = (end: Waveform['end']): Waveform => ({
  kind: 'peaks',
  pieceSeconds: 1,
  readSeconds: 2,
  totalSeconds: 2,
  end,
  lowest: Int16Array.of(-1, -2),
  highest: Int16Array.of(1, 2),
  clipped: Uint8Array.of(0, 1),
});
const known = (result: KnownWaveform['result'], fileId = '1'): KnownWaveform => ({
  fileId,
  itemVersion: 'v',
  result,
  isReading: false,
  isFinal: true,
});
const site = (id: string, state: Site['state']) => ({ id, state }) as Site;

describe('a result', () => {
  it('is final when another attempt would repeat it', () => {
    const none = (reason: NoWaveform) => ({ kind: 'none', reason }) as const;
    const ends = (['complete', 'limit', 'damaged', 'broken-off'] as const).filter((end) => isFinal(peaks(end), 1));
    expect(ends).toEqual(['complete', 'limit', 'damaged']);
    const reasons = (['no-sound', 'unknown-format', 'undecodable', 'damaged', 'unreachable'] as const).filter(
      (reason) => isFinal(none(reason), 1),
    );
    expect(reasons).toEqual(['no-sound', 'unknown-format', 'undecodable', 'damaged']);
  });

  it('is not final at the small limit of bytes of the grid, but at that of the player', () => {
    expect(isFinal(peaks('size-limit'), 64 * 1024 * 1024)).toBe(false);
    expect(isFinal(peaks('size-limit'), MOST_RECORDING_BYTES)).toBe(true);
  });
});

describe('the waveform of an item', () => {
  it('is that of the recording that “Play” plays, not of another original', async () => {
    const other = { ...ref, otherOriginalId: '9' };
    takeWaveform(ref, known(peaks('complete')));
    takeWaveform(other, known(peaks('damaged'), '9'));
    storeWaveform(other, known(peaks('damaged'), '9'));
    expect(bridge.waiting).toEqual([]);
    expect(knownWaveform(ref)?.fileId).toBe('1');
    expect(knownWaveform(other)?.fileId).toBe('9');
    // Only the waveform of the item is looked for on this computer.
    expect(await readWaveform({ ...ref, otherOriginalId: '8' })).toBeNull();
    expect(bridge.waiting).toEqual([]);
  });

  it('is not stored after the upload of a file that could not be read completely', () => {
    takeUploadedWaveform(ref, '1', peaks('broken-off'));
    expect(knownWaveform(ref)).toBeUndefined();
    expect(bridge.waiting).toEqual([]);
    takeUploadedWaveform(ref, '1', peaks('complete'));
    expect(bridge.waiting).toEqual(['waveforms.store']);
  });

  it('is gone after its recording was replaced, also from this computer', async () => {
    takeWaveform(ref, known(peaks('complete')));
    dropWaveform(ref);
    expect(knownWaveform(ref)).toBeNull();
    const { bytes } = bridge.take('waveforms.store').input;
    expect(decodeWaveform(bytes)).not.toBeNull();
    const next = { ...ref, mediaId: `${ref.mediaId} in the next session` };
    const read = readWaveform(next);
    await bridge.take('waveforms.read').answer({ bytes });
    expect(await read).toBeNull();
  });

  it('is computed again when this computer can’t read the stored one', async () => {
    const read = readWaveform(ref);
    await bridge.take('waveforms.read').refuse('profile.disk-full');
    expect(await read).toBeNull();
  });

  it('is a reported fault when our own code fails', async () => {
    const refused = readWaveform(ref);
    const answered = bridge.take('waveforms.read').refuse('internal');
    await expect(refused).rejects.toMatchObject({ data: { code: 'internal' } });
    await answered;
  });
});

describe('the sign-out of an account', () => {
  it('forgets its waveforms, and drops one that arrives later', async () => {
    const other = { ...ref, siteId: 'b' };
    takeWaveform(other, known(peaks('complete')));
    takeWaveform(ref, known(peaks('complete')));
    const late = { ...ref, mediaId: `${ref.mediaId} late` };
    const read = readWaveform(late);
    expect(forgetSignedOut([site('a', 'signed-out'), site('b', 'signed-in')])).toEqual(new Set(['b']));
    await bridge.take('waveforms.read').answer({ bytes: encodeWaveform(known(peaks('complete'))) });
    await read;
    takeWaveform(ref, known(peaks('complete')));
    expect([knownWaveform(ref), knownWaveform(late)]).toEqual([undefined, undefined]);
    expect(knownWaveform(other)).toMatchObject({ fileId: '1' });
    forgetSignedOut([site('a', 'signed-in'), site('b', 'signed-in')]);
    takeWaveform(ref, known(peaks('complete')));
    expect(knownWaveform(ref)).toMatchObject({ fileId: '1' });
  });
});
