// Waveforms of dropped files, and to which uploads they belong.
import { beforeEach, describe, expect, it } from 'vitest';
import { useMessages } from '../../../../../../renderer/features/common/state/messages-store.ts';
import { useAdd } from '../../../../../../renderer/features/uploads/state/add-store.ts';
import {
  forgetSounds,
  takeFiles,
  takeSoundOf,
  useLocalSound,
} from '../../../../../../renderer/features/uploads/state/local-sound.ts';
import { offerDropped } from '../../../../../../renderer/shell/drop/offer-dropped.ts';
import { appError } from '../../../../../../shared/contract/app-error.ts';
import { HeldBridge } from '../../../../../helpers/desktop/held-bridge.ts';
import { HeldWorker } from '../../../../../helpers/desktop/held-workers.ts';

const RESULT = { kind: 'none', reason: 'no-sound' } as const;
const MODIFIED = 1_700_000_000_123;
const dropped = (path: string) => ({ path, file: new File(['12345'], 'talk.wav', { lastModified: MODIFIED }) });

let workers: readonly HeldWorker[];
let bridge: HeldBridge;
beforeEach(() => {
  bridge = new HeldBridge();
  workers = HeldWorker.install();
  forgetSounds();
  useAdd.setState({ paths: null });
});

async function read(path: string): Promise<void> {
  takeFiles([dropped(path)]);
  await workers.at(-1)?.report({ kind: 'end', result: RESULT, receivedBytes: 0 });
}

describe('the waveform of a dropped file', () => {
  it('is that of its upload, once', async () => {
    await read('/talk.wav');
    // The engine knows the time more precisely.
    const row = { path: '/talk.wav', sizeBytes: 5, mtimeMs: MODIFIED + 0.456 };
    expect(takeSoundOf(row)).toEqual(RESULT);
    expect(takeSoundOf(row)).toBeNull();
  });

  it('is not that of a later file with the same path and size', async () => {
    await read('/talk.wav');
    expect(takeSoundOf({ path: '/talk.wav', sizeBytes: 5, mtimeMs: MODIFIED + 60_000 })).toBeNull();
    await read('/talk.wav');
    expect(takeSoundOf({ path: '/talk.wav', sizeBytes: 6, mtimeMs: MODIFIED })).toBeNull();
  });
});

describe('files that are dropped into the window', () => {
  it('are read when their sheet is open', async () => {
    const offered = offerDropped('s', 'c', [dropped('/talk.wav')]);
    expect(workers).toEqual([]);
    await bridge.take('library.rightToAdd').answer(null);
    await offered;
    expect(useAdd.getState().paths).toEqual(['/talk.wav']);
    expect(workers).toHaveLength(1);
    expect(useLocalSound.getState().sounds).toMatchObject([{ path: '/talk.wav', result: null }]);
  });

  it('are not read when the account can’t add items, so that no sheet opens', async () => {
    useMessages.setState({ messages: [] });
    const offered = offerDropped('s', 'c', [dropped('/talk.wav')]);
    await bridge.take('library.rightToAdd').answer(appError('upload.needs-create').toData());
    await offered;
    expect(useMessages.getState().messages).toHaveLength(1);
    expect(useAdd.getState().paths).toBeNull();
    expect(workers).toEqual([]);
    expect(useLocalSound.getState().sounds).toEqual([]);
  });
});
