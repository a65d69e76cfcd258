import { describe, expect, it } from 'vitest';
import {
  type ViewerKey,
  type ViewerState,
  viewerCommand,
} from '../../../../../../../renderer/features/library/state/files/viewer-keys.ts';

const commandOf = (key: Partial<ViewerKey> & { key: string }, state: Partial<ViewerState> = {}) =>
  viewerCommand(
    { alt: false, mod: false, on: null, ...key },
    { mode: 'player', content: 'recording', isGrid: false, isZoomed: false, ...state },
  );
const NOT_PLAIN = [{ alt: true }, { key: 'n' }, { key: 'P' }];

describe('a key in the player', () => {
  it('moves between items only when it does not seek or change the volume', () => {
    for (const key of ['ArrowLeft', 'ArrowRight', 'ArrowUp', 'ArrowDown', ' ', 'Home', 'End', 'k', 'j', 'l']) {
      expect(commandOf({ key }), key).toBeNull();
    }
    expect(NOT_PLAIN.map((key) => commandOf({ key: 'ArrowDown', ...key }))).toEqual(['next', 'next', 'previous']);
    expect(commandOf({ key: 'ArrowUp', alt: true })).toBe('previous');
  });

  it('moves between items with the left and right arrow keys beside a picture that fits, and beside an item without one', () => {
    for (const content of ['image', 'other'] as const) {
      expect(commandOf({ key: 'ArrowRight' }, { content })).toBe('next');
      expect(commandOf({ key: 'ArrowLeft' }, { content })).toBe('previous');
    }
    expect(commandOf({ key: 'ArrowRight' }, { content: 'image', isZoomed: true })).toBeNull();
    expect(commandOf({ key: 'ArrowDown', alt: true }, { content: 'image', isZoomed: true })).toBe('next');
  });

  it('belongs to the slider or button that has the focus', () => {
    expect(commandOf({ key: 'ArrowDown', on: 'slider' }, { mode: 'preview' })).toBeNull();
    expect(commandOf({ key: ' ', on: 'button' }, { mode: 'preview' })).toBeNull();
    expect(commandOf({ key: 'Enter', on: 'button' }, { mode: 'preview' })).toBeNull();
    expect(commandOf({ key: 'ArrowDown', on: 'button' }, { mode: 'preview' })).toBe('next');
  });

  it('is left to the window when Ctrl or ⌘ is held', () => {
    expect(commandOf({ key: 'ArrowDown', mod: true }, { mode: 'preview' })).toBeNull();
    expect(commandOf({ key: 'n', mod: true })).toBeNull();
  });
});

describe('a key in the preview', () => {
  const state = { mode: 'preview' } as const;

  it('closes it with Space, opens the item with Enter, and moves with up and down', () => {
    expect([' ', 'Enter', 'ArrowUp', 'ArrowDown'].map((key) => commandOf({ key }, state))).toEqual([
      ...['close', 'open', 'previous', 'next'],
    ]);
  });

  it('seeks with left and right in a list, and moves between items in a grid', () => {
    expect(commandOf({ key: 'ArrowRight' }, state)).toBeNull();
    expect(commandOf({ key: 'ArrowRight' }, { ...state, isGrid: true })).toBe('next');
    expect(commandOf({ key: 'ArrowLeft' }, { ...state, content: 'image' })).toBe('previous');
  });
});
