import { expect, it } from 'vitest';
import { UploadSettings } from '../../../../../electron/engine/uploads/journal/upload-settings.ts';
import { DEFAULT_SETTINGS } from '../../../../../shared/model/default-settings.ts';
import { captureLogger } from '../../../../helpers/engine/capture-logger.ts';

function opened(text: string) {
  const texts = new Map([['settings', text]]);
  const logger = captureLogger();
  const stored = {
    get: (name: string) => texts.get(name) ?? null,
    set: (name: string, to: string) => void texts.set(name, to),
  };
  return { settings: new UploadSettings(stored, logger), texts, logger };
}

it('settings of another version are kept until the user changes them', () => {
  const { settings, texts, logger } = opened(JSON.stringify({ parallelTransfers: 64, newer: true }));
  expect(settings.get()).toEqual(DEFAULT_SETTINGS);
  expect(logger.lines.map(({ fields }) => fields.name)).toEqual(['parallelTransfers']);
  settings.set({ smallFirst: true });
  const stored = () => JSON.parse(texts.get('settings') ?? '') as unknown;
  expect(stored()).toEqual({ parallelTransfers: 64, newer: true, smallFirst: true });
  settings.set({ parallelTransfers: 2 });
  expect(stored()).toEqual({ parallelTransfers: 2, newer: true, smallFirst: true });
  expect(settings.get()).toEqual({ ...DEFAULT_SETTINGS, parallelTransfers: 2, smallFirst: true });
});

it('unreadable settings are reported, and their text is kept when one is changed', () => {
  const { settings, texts, logger } = opened('{ damaged');
  expect(settings.get()).toEqual(DEFAULT_SETTINGS);
  expect(logger.lines).toMatchObject([{ event: 'settings.unreadable' }]);
  settings.set({ smallFirst: true });
  expect([...texts.values()]).toContain('{ damaged');
});
