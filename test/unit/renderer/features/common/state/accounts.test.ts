import { beforeEach, describe, expect, it } from 'vitest';
import { openItem } from '../../../../../../renderer/features/common/commands/commands.ts';
import {
  offerSignIn,
  showAccount,
  startApp,
  takeSites,
  useApp,
} from '../../../../../../renderer/features/common/state/app-store.ts';
import { useMessages } from '../../../../../../renderer/features/common/state/messages-store.ts';
import { useTree } from '../../../../../../renderer/features/library/state/tree-store.ts';
import { runMenuCommand } from '../../../../../../renderer/shell/commands/command-table.ts';
import type { CallOutput } from '../../../../../../shared/contract/contract.ts';
import type { Site } from '../../../../../../shared/contract/sites.ts';
import { HeldBridge } from '../../../../../helpers/desktop/held-bridge.ts';

const site = (id: string, state: Site['state']): Site => ({
  id,
  baseUrl: 'https://media.example.org',
  clientId: 'mediadesk',
  displayName: 'media.example.org',
  userId: '1',
  accountName: id,
  state,
  keptIn: 'system',
  problem: null,
  reachable: true,
  restored: false,
});

let bridge: HeldBridge;
beforeEach(() => {
  bridge = new HeldBridge();
  const sites = [site('anna', 'signed-in'), site('bert', 'needs-sign-in'), site('carl', 'signed-out')];
  useApp.setState({ sites, siteId: 'anna', panel: null, signInTo: null, view: 'uploads' });
  useMessages.setState({ messages: [] });
});
const app = () => useApp.getState();

describe('another account', () => {
  it('is shown, without the sign-in dialog, when it must sign in again', () => {
    expect(showAccount('bert')).toBe(true);
    expect(app()).toMatchObject({ siteId: 'bert', panel: null });
  });

  it.each(['carl', 'nobody'])('opens the sign-in instead when it is signed out or unknown (%s)', (id) => {
    expect(showAccount(id)).toBe(false);
    expect(app()).toMatchObject({ siteId: 'anna', panel: 'sign-in', signInTo: id });
  });

  it('opens the sign-in, and changes no view, when its item is opened while it is signed out', () => {
    useTree.setState({ selectedId: 'mine' });
    openItem({ siteId: 'carl', collectionId: '3', mediaId: '7' });
    expect(app()).toMatchObject({ siteId: 'anna', view: 'uploads', panel: 'sign-in', signInTo: 'carl' });
    expect(useTree.getState().selectedId).toBe('mine');
    expect(bridge.waiting).toEqual([]);
  });

  it('can be signed in to while the current account stays on the screen', () => {
    offerSignIn('bert');
    expect(app()).toMatchObject({ siteId: 'anna', panel: 'sign-in', signInTo: 'bert' });
  });
});

describe('the menu without a signed-in account', () => {
  it.each(['add-files', 'show-settings', 'show-receipts', 'check-uploads', 'refresh'] as const)(
    'shows that %s needs an account, and changes nothing else',
    (command) => {
      useApp.setState({ sites: [], siteId: null, view: 'library' });
      runMenuCommand({ command });
      expect(app()).toMatchObject({ view: 'library', panel: null });
      expect(bridge.waiting).toEqual([]);
      expect(useMessages.getState().messages).toHaveLength(1);
    },
  );

  it('opens updates above the sign-in page, and looks for them', () => {
    useApp.setState({ sites: [], siteId: null, view: 'library' });
    runMenuCommand({ command: 'check-for-updates' });
    expect(app()).toMatchObject({ panel: 'updates', view: 'library' });
    bridge.take('shell.checkForUpdates');
  });

  it('opens the dialog about the app', () => {
    useApp.setState({ sites: [], siteId: null });
    runMenuCommand({ command: 'about' });
    expect(app().panel).toBe('about');
  });
});

it('the sites of an event are kept when the answer to an earlier read arrives after it', async () => {
  const starting = startApp();
  const read = bridge.take('sites.list');
  takeSites([site('dora', 'signed-in')]);
  await read.answer([site('anna', 'signed-in')]);
  await bridge
    .take('app.info')
    .answer({ theme: 'system', hourCycle: 'h23', keychain: { problem: null } } as CallOutput<'app.info'>);
  await starting;
  expect(app()).toMatchObject({ start: 'ready', siteId: 'dora', sites: [{ id: 'dora' }] });
});
