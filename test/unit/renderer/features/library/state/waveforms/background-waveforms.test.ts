// Waveforms of visible items, which are read from the library while the window is idle.
import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest';
import {
  forgetWaveforms,
  wantWaveform,
} from '../../../../../../../renderer/features/library/state/waveforms/background-waveforms.ts';
import {
  type KnownWaveform,
  knownWaveform,
  takeWaveform,
} from '../../../../../../../renderer/features/library/state/waveforms/waveform-store.ts';
import { type MediaFile, mediaFileSchema } from '../../../../../../../shared/api/files.ts';
import { mediaItemSchema } from '../../../../../../../shared/api/media.ts';
import type { Site } from '../../../../../../../shared/contract/sites.ts';
import type { Waveform } from '../../../../../../../shared/model/waveform/waveform.ts';
import { HeldBridge } from '../../../../../../helpers/desktop/held-bridge.ts';
import { HeldWorker } from '../../../../../../helpers/desktop/held-workers.ts';

const SITE = { id: 'a', state: 'signed-in' } as Site;
const MB = 1024 * 1024;
const SETTLE_MS = 1500;
const PEAKS: Waveform = {
  kind: 'peaks',
  pieceSeconds: 1,
  readSeconds: 1,
  totalSeconds: 1,
  end: 'complete',
  lowest: Int16Array.of(-1),
  highest: Int16Array.of(1),
  clipped: Uint8Array.of(0),
};

let bridge: HeldBridge;
let workers: readonly HeldWorker[];
let last = 0;
let ref: { siteId: string; mediaId: string };
beforeEach(() => {
  vi.useFakeTimers({ toFake: ['setTimeout', 'clearTimeout'] });
  bridge = new HeldBridge();
  workers = HeldWorker.install();
  forgetWaveforms([]);
  forgetWaveforms([SITE]);
  const document = { visibilityState: 'visible', addEventListener: () => {}, removeEventListener: () => {} };
  vi.stubGlobal('document', document);
  vi.stubGlobal('requestIdleCallback', (run: () => void) => queueMicrotask(run));
  ref = { siteId: 'a', mediaId: String(++last) };
});
afterEach(() => {
  vi.useRealTimers();
  vi.unstubAllGlobals();
});

const turns = async () => {
  for (let turn = 0; turn < 3; turn += 1) await new Promise((resolve) => setImmediate(resolve));
};
const audio = (id: string, size: number): MediaFile =>
  mediaFileSchema.parse({ id, source: 'upload', type: 'audio', status: 'complete', container: 'mp3', size, links: {} });
const old = (itemVersion: string): KnownWaveform => ({
  fileId: 'old',
  itemVersion,
  result: PEAKS,
  isReading: false,
  isFinal: true,
});

/** An item becomes visible; nothing of it is known on this computer unless it was noted before. */
async function show(item = ref, version = 'v'): Promise<() => void> {
  const end = wantWaveform(item, version);
  if (bridge.waiting.includes('waveforms.read')) await bridge.take('waveforms.read').answer(null);
  vi.advanceTimersByTime(SETTLE_MS);
  await turns();
  return end;
}

/** The library answers with a file of this size. */
async function answer(id: string, size: number): Promise<void> {
  const item = mediaItemSchema.parse({ id: 7, title: 'Talk', status: 'draft', collection_id: 2 });
  await bridge.take('library.media').answer({ item, collectionName: null, viewUrl: null, files: [audio(id, size)] });
  await turns();
}

async function finish(receivedBytes: number): Promise<void> {
  await workers.at(-1)?.report({ kind: 'end', result: PEAKS, receivedBytes });
  await turns();
}

describe('the waveform of a visible item', () => {
  it('is no longer that of a replaced recording, also when the new one is too large to be read', async () => {
    takeWaveform(ref, old('before'));
    const end = await show(ref, 'after');
    await answer('new', 65 * MB);
    expect(workers).toEqual([]);
    expect(knownWaveform(ref)).toBeNull();
    expect(bridge.waiting).toEqual(['waveforms.store']);
    end();
  });

  it('stays when the item has changed, but not its recording', async () => {
    takeWaveform(ref, old('before'));
    const end = await show(ref, 'after');
    await answer('old', 65 * MB);
    expect(knownWaveform(ref)).toMatchObject({ fileId: 'old', itemVersion: 'after' });
    end();
  });

  it('is read again after the limit of bytes, and stored only when it is final', async () => {
    const end = await show();
    await answer('new', 60 * MB);
    await workers.at(-1)?.report({ kind: 'end', result: { ...PEAKS, end: 'size-limit' }, receivedBytes: 0 });
    await turns();
    expect(knownWaveform(ref)).toMatchObject({ isFinal: false, result: { end: 'size-limit' } });
    expect(bridge.waiting).toEqual([]);
    end();
  });

  it('is tried once for each version of the item, and again after the sign-out', async () => {
    const end = await show();
    await bridge.take('library.media').refuse('network.unreachable');
    await turns();
    end();
    (await show())();
    expect(bridge.waiting).toEqual([]);
    forgetWaveforms([{ id: 'a', state: 'signed-out' } as Site]);
    forgetWaveforms([SITE]);
    const again = await show();
    expect(bridge.waiting).toEqual(['library.media']);
    await bridge.take('library.media').refuse('network.unreachable');
    await turns();
    again();
  });
});

describe('all waveforms of visible items together', () => {
  it('cost the bytes that came, not those of their files', async () => {
    // 20 files of 60 MB, of which 1 byte each came, are less than the limit of 512 MB.
    for (let file = 0; file < 20; file += 1) {
      ref = { siteId: 'a', mediaId: String(++last) };
      const end = await show();
      await answer('new', 60 * MB);
      expect(workers).toHaveLength(file + 1);
      await finish(1);
      end();
    }
    // After 500 MB, a file of 60 MB is no longer read.
    const end = await show({ ...ref, mediaId: 'large' });
    await answer('new', MB);
    await finish(500 * MB);
    end();
    const none = await show({ ...ref, mediaId: 'refused' });
    await answer('new', 60 * MB);
    expect(workers).toHaveLength(21);
    none();
  });
});
