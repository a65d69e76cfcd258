import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { type KeyInput, LEAST_ZOOM, MOST_ZOOM, zoomAfter, zoomKey } from '../../../electron/main/zoom.ts';

const press = (key: string, held: Partial<KeyInput> = {}): KeyInput => ({
  type: 'keyDown',
  key,
  control: true,
  meta: false,
  alt: false,
  ...held,
});

describe('the zoom', () => {
  it('changes step by step in both directions', () => {
    expect(zoomAfter(1, 'in')).toBe(1.1);
    expect(zoomAfter(1.1, 'in')).toBe(1.25);
    expect(zoomAfter(1.25, 'out')).toBe(1.1);
    expect(zoomAfter(1.75, 'reset')).toBe(1);
  });

  it('takes the next step from a factor between two steps', () => {
    expect(zoomAfter(1.3, 'in')).toBe(1.5);
    expect(zoomAfter(1.3, 'out')).toBe(1.25);
  });

  it('stays within its limits for any factor', () => {
    fc.assert(
      fc.property(fc.double({ min: 0.01, max: 20, noNaN: true }), fc.constantFrom('in', 'out'), (factor, change) => {
        const next = zoomAfter(factor, change);
        expect(next).toBeGreaterThanOrEqual(LEAST_ZOOM);
        expect(next).toBeLessThanOrEqual(MOST_ZOOM);
      }),
    );
    expect(zoomAfter(MOST_ZOOM, 'in')).toBe(MOST_ZOOM);
    expect(zoomAfter(LEAST_ZOOM, 'out')).toBe(LEAST_ZOOM);
  });
});

describe('the zoom keys', () => {
  it('are + or =, - or _, and 0, with Ctrl', () => {
    const changes = ['+', '=', '-', '_', '0'].map((key) => zoomKey(press(key), 'linux'));
    expect(changes).toEqual(['in', 'in', 'out', 'out', 'reset']);
  });

  it('use Command on a Mac, not Ctrl', () => {
    expect(zoomKey(press('+', { control: false, meta: true }), 'darwin')).toBe('in');
    expect(zoomKey(press('+'), 'darwin')).toBeNull();
    expect(zoomKey(press('+', { control: false, meta: true }), 'linux')).toBeNull();
  });

  it('exclude letters, the same keys without Ctrl or with Alt, and the release of a key', () => {
    expect(zoomKey(press('a'), 'linux')).toBeNull();
    expect(zoomKey(press('+', { control: false }), 'linux')).toBeNull();
    expect(zoomKey(press('0', { alt: true }), 'linux')).toBeNull();
    expect(zoomKey(press('+', { type: 'keyUp' }), 'linux')).toBeNull();
    expect(zoomKey(press('constructor'), 'linux')).toBeNull();
  });
});
