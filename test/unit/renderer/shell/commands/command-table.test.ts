import { readFileSync } from 'node:fs';
import type { MenuItemConstructorOptions } from 'electron';
import { afterEach, describe, expect, it } from 'vitest';
import { menuTemplate } from '../../../../../electron/main/menu.ts';
import { chordText, isChord } from '../../../../../renderer/features/common/commands/chords.ts';
import { groupsOfOne } from '../../../../../renderer/features/library/collections/collection-menu.tsx';
import { COLLECTION_COMMANDS } from '../../../../../renderer/features/library/commands/collection-commands.ts';
import { ITEM_COMMANDS } from '../../../../../renderer/features/library/commands/item-commands.ts';
import { ONE_ITEM_COMMANDS } from '../../../../../renderer/features/library/commands/one-item-commands.ts';
import { selectionGroups } from '../../../../../renderer/features/library/selection/item-menu.tsx';
import { useUploads } from '../../../../../renderer/features/uploads/state/uploads-store.ts';
import {
  APP_COMMANDS,
  paletteCommands,
  SHORTCUT_COMMANDS,
} from '../../../../../renderer/shell/commands/command-table.ts';
import { EVENTS } from '../../../../../shared/contract/contract.ts';
import type { CollectionRow } from '../../../../../shared/contract/library.ts';
import type { UploadTotals } from '../../../../../shared/contract/uploads.ts';
import { UPLOAD_STATES } from '../../../../../shared/model/uploads/upload-states.ts';

const menuItems = (): MenuItemConstructorOptions[] => {
  const nothing = () => undefined;
  const options = { platform: 'linux', development: false, theme: 'system', send: nothing } as const;
  const flatten = (items: readonly MenuItemConstructorOptions[]): MenuItemConstructorOptions[] =>
    items.flatMap((item) => [item, ...(Array.isArray(item.submenu) ? flatten(item.submenu) : [])]);
  return flatten(
    menuTemplate({
      ...options,
      setTheme: nothing,
      zoom: nothing,
      quitsWhenFinished: false,
      setQuitWhenFinished: nothing,
    }),
  );
};

describe('the table of commands', () => {
  it('has every command once, and no shortcut twice', () => {
    const ids = APP_COMMANDS.map(({ id }) => id);
    expect(new Set(ids).size).toBe(ids.length);
    const chords = SHORTCUT_COMMANDS.flatMap((command) => command.chords ?? []);
    expect(new Set(chords).size).toBe(chords.length);
  });

  it('has one command for each command of the application menu, with the same shortcut', () => {
    const items = menuItems();
    for (const name of EVENTS.onDidMenuCommand.shape.command.options) {
      const commands = APP_COMMANDS.filter(({ menu }) => menu === name);
      expect(commands, name).toHaveLength(1);
      const accelerator = items.find(({ id }) => id === name)?.accelerator;
      if (accelerator === undefined) continue;
      const chord = String(accelerator).replace('CmdOrCtrl', 'mod').toLowerCase();
      expect(commands[0]?.chords, name).toContain(chord);
    }
  });

  it('appears completely in the palette, except for hidden commands', () => {
    const listed = paletteCommands('Ctrl+').map(({ id }) => id);
    const missing = APP_COMMANDS.filter(({ id, isHidden }) => isHidden !== true && !listed.includes(id));
    expect(missing).toEqual([]);
  });

  it('has every command of items in the context menu of several items', () => {
    const listed = selectionGroups().flatMap(({ entries }) => entries.map(({ id }) => id));
    expect(listed.sort()).toEqual(Object.keys(ITEM_COMMANDS).sort());
  });

  it('has every command of collections in the context menu of a podcast, except move and delete for a top collection', () => {
    const podcast: CollectionRow = {
      id: '7',
      parentId: '1',
      displayName: 'Radio',
      slug: 'radio',
      isPodcast: true,
      childCount: 0,
      mediaCount: 0,
      mediaCountBelow: 0,
    };
    const idsOf = (row: CollectionRow) => groupsOfOne(row, true).flatMap(({ entries }) => entries.map(({ id }) => id));
    const all = Object.values(COLLECTION_COMMANDS).map(({ id }) => id);
    expect(idsOf(podcast).sort()).toEqual(all.sort());
    expect(idsOf({ ...podcast, parentId: null })).not.toContain('delete');
    expect(idsOf({ ...podcast, parentId: null })).not.toContain('move');
  });

  it('has only keys for the current item that the user guide lists', () => {
    const guide = readFileSync(new URL('../../../../../docs/user-guide.md', import.meta.url), 'utf8');
    for (const { chord, label } of ONE_ITEM_COMMANDS) {
      if (chord !== undefined)
        expect(guide).toContain(`| ${chordText(chord, 'Ctrl+')} | ${label.replace(/…$/, '')} |\n`);
    }
  });

  it('has only shortcuts that the user guide lists', () => {
    const guide = readFileSync(new URL('../../../../../docs/user-guide.md', import.meta.url), 'utf8');
    for (const { chords = [], label } of SHORTCUT_COMMANDS) {
      const keys = chords.map((chord) => chordText(chord, 'Ctrl+')).join(' or ');
      expect(guide).toContain(`| ${keys} | ${label.replace(/…$/, '')} |\n`);
    }
  });
});

describe('the commands for all uploads', () => {
  const none = Object.fromEntries(UPLOAD_STATES.map((state) => [state, 0])) as UploadTotals['counts'];
  const reasonsWith = (change: Partial<UploadTotals>) => {
    const totals = { counts: none, duplicates: 0, paused: false, pausedUntil: null, ...change };
    useUploads.setState({ totals: totals as UploadTotals });
    const found = paletteCommands('Ctrl+').filter(({ id }) => ['pause-all', 'resume-all', 'retry'].includes(id));
    return found.map(({ reason = null }) => reason);
  };
  afterEach(() => useUploads.setState({ totals: null }));

  it('state why they would change nothing', () => {
    expect(reasonsWith({})).toEqual([null, 'No uploads are paused.', 'No uploads failed.']);
    expect(reasonsWith({ counts: { ...none, paused: 1, failed: 1 } })).toEqual([null, null, null]);
    expect(reasonsWith({ counts: { ...none, failed: 1 }, duplicates: 1 })[2]).toBe('No uploads failed.');
    expect(reasonsWith({ paused: true }).slice(0, 2)).toEqual(['All uploads are paused.', null]);
    // During a pause until an instant, “pause all” is offered, because it makes the pause one without an end.
    expect(reasonsWith({ paused: true, pausedUntil: 1 }).slice(0, 2)).toEqual([null, null]);
  });

  it('give no reason before the totals are known', () => {
    useUploads.setState({ totals: null });
    expect(paletteCommands('Ctrl+').filter(({ reason }) => reason !== undefined)).toEqual([]);
  });
});

describe('a shortcut', () => {
  it('requires the Shift state of its chord, except for keys that need Shift on some keyboards', () => {
    const pressed = (key: string, shift: boolean, mod = true, alt = false) => ({ key, shift, mod, alt });
    expect(isChord('mod+o', pressed('o', false))).toBe(true);
    expect(isChord('mod+o', pressed('O', true))).toBe(false);
    expect(isChord('mod+shift+o', pressed('O', true))).toBe(true);
    expect(isChord('mod+1', pressed('1', true))).toBe(true);
    expect(isChord('?', pressed('?', true, false))).toBe(true);
    expect(isChord('?', pressed('?', true))).toBe(false);
    expect(isChord('f5', pressed('F5', false, false))).toBe(true);
    expect(isChord('f5', pressed('F5', false, false, true))).toBe(false);
    expect(isChord('alt+arrowdown', pressed('ArrowDown', false, false, true))).toBe(true);
    expect(isChord('alt+arrowdown', pressed('ArrowDown', true, false, true))).toBe(false);
    expect(isChord('space', pressed(' ', false, false))).toBe(true);
    expect(isChord('enter', pressed('Enter', false, false, true))).toBe(false);
  });

  it('is shown as each system writes it', () => {
    expect(chordText('mod+shift+o', 'Ctrl+')).toBe('Ctrl+Shift+O');
    expect(chordText('mod+shift+o', '⌘')).toBe('⌘⇧O');
    expect(chordText('f5', 'Ctrl+')).toBe('F5');
    expect(chordText('alt+arrowdown', 'Ctrl+')).toBe('Alt+↓');
    expect(chordText('alt+arrowdown', '⌘')).toBe('⌥↓');
    expect(chordText('alt+enter', 'Ctrl+')).toBe('Alt+Enter');
  });
});
