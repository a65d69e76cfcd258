import type { MenuItemConstructorOptions } from 'electron';
import { describe, expect, it } from 'vitest';
import { applySpelling, fieldMenu, forbidDictionaries, shownSpelling } from '../../../electron/main/spelling.ts';

const nothing = { replace: () => undefined, learn: () => undefined };
const labels = (items: readonly MenuItemConstructorOptions[]) => items.map(({ label, type }) => label ?? type);
const facts = { isEditable: true, selectionText: '', misspelledWord: '', dictionarySuggestions: [] };

describe('the context menu of a text', () => {
  it('offers the suggestions of the dictionary first, then a command that adds the word to it', () => {
    const replaced: string[] = [];
    const learned: string[] = [];
    const menu = fieldMenu(
      { ...facts, misspelledWord: 'wrnog', dictionarySuggestions: ['wrong', 'wring'] },
      { replace: (word) => replaced.push(word), learn: (word) => learned.push(word) },
    );
    expect(labels(menu).slice(0, 5)).toEqual([
      'wrong',
      'wring',
      'separator',
      'Add “wrnog” to the dictionary',
      'separator',
    ]);
    const press = (at: number) => Reflect.apply(menu[at]?.click ?? (() => undefined), undefined, []);
    press(1);
    press(3);
    expect([replaced, learned]).toEqual([['wring'], ['wrnog']]);
  });

  it('says when the dictionary has no suggestion', () => {
    expect(fieldMenu({ ...facts, misspelledWord: 'qqq' }, nothing)[0]).toEqual({
      label: 'No suggestions',
      enabled: false,
    });
  });

  it('has only applicable commands', () => {
    expect(labels(fieldMenu(facts, nothing))).toEqual(['Cut', 'Copy', 'Paste', 'separator', 'Select all']);
    expect(labels(fieldMenu({ ...facts, isEditable: false, selectionText: 'text' }, nothing))).toEqual(['Copy']);
    expect(fieldMenu({ ...facts, isEditable: false }, nothing)).toEqual([]);
  });
});

describe('the spell checker of a session', () => {
  function session() {
    const calls: string[] = [];
    return {
      calls,
      availableSpellCheckerLanguages: ['de', 'en-US'],
      setSpellCheckerEnabled: (isOn: boolean) => void calls.push(`enabled ${isOn}`),
      setSpellCheckerLanguages: (languages: string[]) => void calls.push(`languages ${languages}`),
    };
  }

  it.each(['linux', 'win32'])(
    'loses its languages before it is turned off on %s, so that no dictionary is downloaded',
    (platform) => {
      const off = session();
      applySpelling(off, { isOn: false, languages: ['de'] }, platform);
      expect(off.calls).toEqual(['languages ', 'enabled false']);
    },
  );

  it.each(['linux', 'win32'])('is off on %s when it knows none of the chosen languages', (platform) => {
    const unknown = session();
    applySpelling(unknown, { isOn: true, languages: ['xx'] }, platform);
    expect(unknown.calls).toEqual(['languages ', 'enabled false']);
    const known = session();
    applySpelling(known, { isOn: true, languages: ['de', 'xx'] }, platform);
    expect(known.calls).toEqual(['languages de', 'enabled true']);
  });

  it('is that of the system on a Mac, whatever the setting is, and downloads nothing there', () => {
    const mac = session();
    const setting = { isOn: false, languages: ['de'] };
    forbidDictionaries(mac, 'darwin');
    applySpelling(mac, setting, 'darwin');
    expect(mac.calls).toEqual(['enabled true']);
    expect(shownSpelling(mac, setting, 'darwin')).toEqual({
      isOfSystem: true,
      isOn: true,
      language: 'de',
      available: [],
    });
    expect(shownSpelling(mac, setting, 'win32')).toMatchObject({ isOfSystem: false, isOn: false });
  });
});
