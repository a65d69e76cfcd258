import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import {
  COLUMN_IDS,
  fitColumns,
  storedColumns,
} from '../../../../../../renderer/features/library/state/media-columns.ts';

const DEFAULTS = { chosen: null, widths: {} };

describe('fitColumns', () => {
  it('shows the default columns when there is room, and fewer of them when the title needs the room', () => {
    expect(fitColumns(DEFAULTS, 'title', 900).shown).toEqual(['title', 'status', 'length', 'created_on', 'tags']);
    expect(fitColumns(DEFAULTS, 'title', 640).shown).toEqual(['title', 'status', 'length', 'created_on']);
    expect(fitColumns(DEFAULTS, 'title', 540).shown).toEqual(['title', 'status', 'created_on']);
    expect(fitColumns(DEFAULTS, 'title', 240).shown).toEqual(['title', 'status']);
  });

  it('shows the date and the length below the title in a narrow list, in which the title has the full width', () => {
    const { shown, below, template } = fitColumns(DEFAULTS, 'modified_on', 400);
    expect({ shown, below, template }).toEqual({
      shown: ['title', 'status'],
      below: ['modified_on', 'length'],
      template: '26px minmax(0px,1fr) 16px 24px',
    });
    expect(fitColumns(DEFAULTS, 'title', 520).below).toEqual([]);
  });

  it('gives pictures their width, and hides a column for them when there is no room', () => {
    expect(fitColumns(DEFAULTS, 'title', 900, true).template).toMatch(/^54px minmax/);
    expect(fitColumns(DEFAULTS, 'title', 640, true).shown.length).toBeLessThanOrEqual(
      fitColumns(DEFAULTS, 'title', 640).shown.length,
    );
    expect(fitColumns({ chosen: ['title', 'tags'], widths: {} }, 'title', 640, true).minWidth).toBe(
      fitColumns({ chosen: ['title', 'tags'], widths: {} }, 'title', 640).minWidth + 28,
    );
  });

  it('shows the date by which the list is sorted instead of the default date', () => {
    expect(fitColumns(DEFAULTS, 'publish_on', 900).shown).toContain('publish_on');
    expect(fitColumns(DEFAULTS, 'publish_on', 900).shown).not.toContain('created_on');
  });

  it('shows all chosen columns in a wide list, which scrolls sideways when they have no room', () => {
    const all = { chosen: COLUMN_IDS, widths: {} };
    const fitted = fitColumns(all, 'title', 700);
    expect(fitted.shown).toEqual(COLUMN_IDS);
    expect(fitted.minWidth).toBeGreaterThan(1200);
    expect(fitColumns(all, 'title', 400).minWidth).toBe(0);
  });

  it('gives the tags more room in a wide list, unless the user chose their width', () => {
    expect(fitColumns(DEFAULTS, 'title', 900).tagsWidth).toBe(170);
    expect(fitColumns(DEFAULTS, 'title', 1300).tagsWidth).toBe(290);
    expect(fitColumns(DEFAULTS, 'title', 3000).tagsWidth).toBe(330);
    expect(fitColumns({ chosen: null, widths: { tags: 90 } }, 'title', 1300).tagsWidth).toBe(90);
  });

  it('gives the title at least 140 pixels, or a third of a narrow list, whatever was chosen', () => {
    const widths = fc.dictionary(fc.constantFrom(...COLUMN_IDS), fc.integer({ min: 0, max: 900 }));
    fc.assert(
      fc.property(fc.subarray([...COLUMN_IDS]), widths, fc.integer({ min: 240, max: 3000 }), (chosen, wide, width) => {
        const state = storedColumns({ chosen, widths: wide });
        const { shown, template, minWidth } = fitColumns(state, 'title', width);
        expect(shown[0]).toBe('title');
        const tracks = template.split(/ (?![^(]*\))/);
        expect(tracks).toHaveLength(shown.length + 2);
        const fixed = tracks.reduce((sum, track) => sum + (track.endsWith('px') ? Number.parseFloat(track) : 0), 0);
        const rest = Math.max(width, minWidth) - fixed - (tracks.length - 1) * 14 - 24;
        if (width >= 520) expect(rest).toBeGreaterThanOrEqual(139);
        else if (shown.length <= 2) return;
        else expect(rest).toBeGreaterThanOrEqual(width / 3 - 1);
      }),
    );
  });
});

describe('stored columns', () => {
  it('are valid whatever was stored', () => {
    fc.assert(
      fc.property(fc.jsonValue(), (stored) => {
        const { chosen } = storedColumns(stored);
        fitColumns(storedColumns(stored), 'title', 800);
        if (chosen !== null) expect(chosen[0]).toBe('title');
      }),
    );
    expect(storedColumns({ chosen: ['tags', 'nonsense', 'size'], widths: { size: 9999, tags: 'wide' } })).toEqual({
      chosen: ['title', 'size', 'tags'],
      widths: { size: 600 },
    });
  });
});
