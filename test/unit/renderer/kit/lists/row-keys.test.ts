import { describe, expect, it } from 'vitest';
import { type RowKey, type RowKeyState, rowCommand } from '../../../../../renderer/kit/lists/row-keys.ts';

const STATE: RowKeyState = {
  focus: 3,
  total: 100,
  pageSize: 10,
  selectedCount: 1,
  isSingle: false,
  canActivate: true,
};

const commandOf = (key: Partial<RowKey> & { key: string }, state: Partial<RowKeyState> = {}) =>
  rowCommand({ alt: false, shift: false, toggle: false, ...key }, { ...STATE, ...state });

describe('rowCommand', () => {
  it('moves on an arrow, Page, Home or End key', () => {
    expect(commandOf({ key: 'ArrowDown' })).toEqual({ kind: 'move', to: 4 });
    expect(commandOf({ key: 'PageDown' })).toEqual({ kind: 'move', to: 13 });
    expect(commandOf({ key: 'End' })).toEqual({ kind: 'move', to: 99 });
  });

  it('leaves arrow keys to the view when Alt is held', () => {
    expect(commandOf({ key: 'ArrowDown', alt: true })).toBeNull();
  });

  it('selects all rows when A is pressed with Ctrl or ⌘, and not without', () => {
    expect(commandOf({ key: 'a', toggle: true })).toEqual({ kind: 'select-all' });
    expect(commandOf({ key: 'a' })).toBeNull();
  });

  it('deselects for Escape when rows are selected and the list allows several', () => {
    expect(commandOf({ key: 'Escape' })).toEqual({ kind: 'deselect' });
    expect(commandOf({ key: 'Escape' }, { selectedCount: 0 })).toBeNull();
    expect(commandOf({ key: 'Escape' }, { isSingle: true })).toBeNull();
  });

  it('toggles the current row for Space and activates it for Enter, when there is one', () => {
    expect(commandOf({ key: ' ' })).toEqual({ kind: 'toggle' });
    expect(commandOf({ key: ' ' }, { focus: -1 })).toBeNull();
    expect(commandOf({ key: 'Enter' })).toEqual({ kind: 'activate' });
    expect(commandOf({ key: 'Enter' }, { focus: -1 })).toBeNull();
    expect(commandOf({ key: 'Enter' }, { canActivate: false })).toBeNull();
  });

  it('previews the current row for Space in a list with previews, and changes the selection with Ctrl, ⌘ or Shift', () => {
    const list = { canPreview: true };
    expect(commandOf({ key: ' ' }, list)).toEqual({ kind: 'preview' });
    expect(commandOf({ key: ' ' }, { ...list, focus: -1 })).toBeNull();
    for (const modifier of ['ctrl', 'toggle', 'shift']) {
      expect(commandOf({ key: ' ', [modifier]: true }, list)).toEqual({ kind: 'toggle' });
    }
    expect(commandOf({ key: ' ', ctrl: true })).toEqual({ kind: 'toggle' });
  });

  it('leaves Enter and Space to the view when Alt is held', () => {
    expect(commandOf({ key: 'Enter', alt: true })).toBeNull();
    expect(commandOf({ key: ' ', alt: true }, { canPreview: true })).toBeNull();
  });

  it('leaves Delete and letters to the view', () => {
    expect(commandOf({ key: 'Delete' })).toBeNull();
    expect(commandOf({ key: 'x' })).toBeNull();
  });
});
