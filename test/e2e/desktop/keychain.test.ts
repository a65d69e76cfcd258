import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { type DesktopApp, launchApp } from '../../helpers/desktop/desktop-app.ts';

describe('the keychain of the desktop', () => {
  let desktop: DesktopApp;
  beforeAll(async () => {
    desktop = await launchApp();
  });
  afterAll(() => desktop?.close());

  it('stores, returns and deletes a secret inside the real main process', async () => {
    const seen = await desktop.app.evaluate(async ({ app }) => {
      const { createRequire } = process.getBuiltinModule('node:module');
      const keytar = createRequire(`${app.getAppPath()}/package.json`)('keytar') as typeof import('keytar');
      const account = 'round-trip';
      await keytar.setPassword('mediadesk-test', account, 'sésame 🔑');
      const kept = await keytar.getPassword('mediadesk-test', account);
      const deleted = await keytar.deletePassword('mediadesk-test', account);
      const after = await keytar.getPassword('mediadesk-test', account);
      return { kept, deleted, after, electron: process.versions.electron };
    });
    expect(seen).toMatchObject({ kept: 'sésame 🔑', deleted: true, after: null });
  });
});
