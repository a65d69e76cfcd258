import { beforeEach, describe, expect, it } from 'vitest';
import { useMessages } from '../../../../../../renderer/features/common/state/messages-store.ts';
import {
  changeSettings,
  loadSettings,
  takeSettings,
  useSettings,
} from '../../../../../../renderer/features/common/state/settings-store.ts';
import { DEFAULT_SETTINGS } from '../../../../../../shared/model/default-settings.ts';
import { HeldBridge } from '../../../../../helpers/desktop/held-bridge.ts';

let bridge: HeldBridge;
beforeEach(() => {
  bridge = new HeldBridge();
  useMessages.setState({ messages: [] });
});

describe('settings that change faster than the engine answers', () => {
  const shown = () => useSettings.getState().settings;

  beforeEach(() => takeSettings(DEFAULT_SETTINGS));

  it('show each change immediately, and no earlier change after it', async () => {
    void changeSettings({ parallelTransfers: 5 });
    void changeSettings({ parallelTransfers: 6 });
    const [first, second] = [bridge.take('settings.set'), bridge.take('settings.set')];
    await first.answer({ ...DEFAULT_SETTINGS, parallelTransfers: 5 });
    expect(shown()?.parallelTransfers).toBe(6);
    // A change that was made outside the window is shown after the last answer.
    takeSettings({ ...DEFAULT_SETTINGS, parallelTransfers: 5, smallFirst: true });
    expect(shown()).toMatchObject({ parallelTransfers: 6, smallFirst: DEFAULT_SETTINGS.smallFirst });
    await second.answer({ ...DEFAULT_SETTINGS, parallelTransfers: 6, smallFirst: true });
    expect(shown()).toMatchObject({ parallelTransfers: 6, smallFirst: true });
  });

  it('show the last change when its answer arrives before the answer to an earlier change', async () => {
    void changeSettings({ smallFirst: true });
    void changeSettings({ parallelTransfers: 6 });
    const [first, second] = [bridge.take('settings.set'), bridge.take('settings.set')];
    await second.answer({ ...DEFAULT_SETTINGS, smallFirst: true, parallelTransfers: 6 });
    await first.answer({ ...DEFAULT_SETTINGS, smallFirst: true });
    expect(shown()).toMatchObject({ smallFirst: true, parallelTransfers: 6 });
  });

  it('show the settings of the engine again when a change is refused', async () => {
    void changeSettings({ parallelTransfers: 5 });
    void changeSettings({ parallelTransfers: 99 });
    const [first, second] = [bridge.take('settings.set'), bridge.take('settings.set')];
    await first.answer({ ...DEFAULT_SETTINGS, parallelTransfers: 5 });
    await second.refuse('input.invalid');
    expect(shown()?.parallelTransfers).toBe(5);
    expect(useMessages.getState().messages).toHaveLength(1);
  });
});

it('the settings of an event are kept when the answer to an earlier read arrives after it', async () => {
  void loadSettings();
  const read = bridge.take('settings.get');
  takeSettings({ ...DEFAULT_SETTINGS, parallelTransfers: 6 });
  await read.answer({ ...DEFAULT_SETTINGS, parallelTransfers: 2 });
  expect(useSettings.getState().settings?.parallelTransfers).toBe(6);
});
