import { describe, expect, it } from 'vitest';
import {
  type CalendarPlace,
  calendarAction,
  MORE,
} from '../../../../../../renderer/features/calendar/state/calendar-keys.ts';

const DAY: CalendarPlace = { day: '2026-05-05', hour: 9, itemId: null };
const ITEM: CalendarPlace = { ...DAY, itemId: 'b' };

interface Given {
  mode?: 'month' | 'week';
  place?: CalendarPlace;
  ids?: string[];
}

/** Returns what a key such as `Alt+ArrowUp` does. */
function press(chord: string, { mode = 'month', place = DAY, ids = ['a', 'b', MORE] }: Given = {}) {
  const parts = chord.split('+');
  const has = (name: string) => parts.includes(name);
  const pressed = { key: parts.at(-1) ?? '', mod: has('Ctrl'), shift: has('Shift'), alt: has('Alt') };
  return calendarAction(pressed, { mode, weekStart: 1, place, ids });
}

describe('the keys of a month', () => {
  it.each([
    ['ArrowLeft', '2026-05-04'],
    ['ArrowRight', '2026-05-06'],
    ['ArrowUp', '2026-04-28'],
    ['ArrowDown', '2026-05-12'],
    ['Home', '2026-05-04'],
    ['End', '2026-05-10'],
    ['Ctrl+Home', '2026-05-01'],
    ['Ctrl+End', '2026-05-31'],
  ])('move with %s to %s', (chord, day) => {
    expect(press(chord)).toEqual({ kind: 'go', to: { ...DAY, day } });
  });

  it.each([
    ['PageUp', '2026-04-05'],
    ['PageDown', '2026-06-05'],
  ])('turn to the other month with %s', (chord, day) => {
    expect(press(chord)).toEqual({ kind: 'go', to: { ...DAY, day }, turns: true });
  });

  it('stop at the last day of calendars', () => {
    const place = { ...DAY, day: '9999-12-31' };
    expect(press('ArrowRight', { place })).toEqual({ kind: 'go', to: place });
    expect(press('Ctrl+End', { place: { ...DAY, day: '9999-12-02' } })).toEqual({ kind: 'go', to: place });
  });

  it('enter a day with Enter and Space, and do nothing there without items', () => {
    for (const key of ['Enter', ' ']) {
      expect(press(key)).toEqual({ kind: 'go', to: { ...DAY, itemId: 'a' } });
      expect(press(key, { ids: [] })).toBe(null);
    }
  });
});

describe('the keys of a week', () => {
  it.each([
    ['ArrowUp', { hour: 8 }],
    ['ArrowDown', { hour: 10 }],
    ['ArrowLeft', { day: '2026-05-04' }],
    ['Ctrl+Home', { hour: 0 }],
    ['Ctrl+End', { hour: 23 }],
  ])('move with %s', (chord, change) => {
    expect(press(chord, { mode: 'week' })).toEqual({ kind: 'go', to: { ...DAY, ...change } });
  });

  it('stay within a day, and turn by a week', () => {
    expect(press('ArrowUp', { mode: 'week', place: { ...DAY, hour: 0 } })).toEqual({
      kind: 'go',
      to: { ...DAY, hour: 0 },
    });
    expect(press('PageDown', { mode: 'week' })).toEqual({
      kind: 'go',
      to: { ...DAY, day: '2026-05-12' },
      turns: true,
    });
  });
});

describe('the keys at an item', () => {
  it.each([
    ['ArrowUp', { itemId: 'a' }],
    ['ArrowDown', { itemId: MORE }],
    ['ArrowRight', { day: '2026-05-06', itemId: null }],
    ['Escape', { itemId: null }],
  ])('move with %s', (chord, change) => {
    expect(press(chord, { place: ITEM })).toEqual({ kind: 'go', to: { ...ITEM, ...change } });
  });

  it('leave the day upwards from its first item, and stay at its last one', () => {
    expect(press('ArrowUp', { place: { ...DAY, itemId: 'a' } })).toEqual({ kind: 'go', to: DAY });
    const last = { ...DAY, itemId: MORE };
    expect(press('ArrowDown', { place: last })).toEqual({ kind: 'go', to: last });
  });

  it('move the item with Alt: by days and weeks in a month, by days and hours in a week', () => {
    const moved = (chord: string, mode: 'month' | 'week') => press(chord, { mode, place: ITEM });
    expect(moved('Alt+ArrowRight', 'month')).toEqual({ kind: 'move', day: '2026-05-06', hour: 9 });
    expect(moved('Alt+ArrowUp', 'month')).toEqual({ kind: 'move', day: '2026-04-28', hour: 9 });
    expect(moved('Alt+ArrowLeft', 'week')).toEqual({ kind: 'move', day: '2026-05-04', hour: 9 });
    expect(moved('Alt+ArrowDown', 'week')).toEqual({ kind: 'move', day: '2026-05-05', hour: 10 });
    expect(press('Alt+ArrowRight')).toBe(null);
    expect(press('Alt+ArrowRight', { place: { ...DAY, itemId: MORE } })).toBe(null);
  });

  it('open it, and its menu', () => {
    expect(press('Enter', { place: ITEM })).toEqual({ kind: 'open' });
    expect(press('Shift+F10', { place: ITEM })).toEqual({ kind: 'menu' });
    expect(press('ContextMenu', { place: ITEM })).toEqual({ kind: 'menu' });
    expect(press('Shift+F10')).toBe(null);
  });

  it('leave other keys to the window', () => {
    for (const chord of ['Ctrl+ArrowRight', 'Shift+ArrowRight', 'Ctrl+PageDown', 'Alt+Enter', 'a', 'Tab', ' ']) {
      expect(press(chord, { place: ITEM })).toBe(null);
    }
  });
});
