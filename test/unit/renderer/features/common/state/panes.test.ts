import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { type PaneWishes, panesOf, RAIL_WIDTH } from '../../../../../../renderer/features/common/state/panes.ts';

const wishes = (width: number, change: Partial<PaneWishes> = {}): PaneWishes => ({
  width,
  treeWidth: 248,
  inspectorWidth: 340,
  isSidebarOpen: true,
  isInspectorOpen: true,
  ...change,
});

describe('the panes of the window', () => {
  it.each([
    [1920, 'docked', 'docked'],
    [1280, 'docked', 'docked'],
    [960, 'docked', 'docked'],
    [860, 'docked', 'closed'],
    [720, 'rail', 'closed'],
    [480, 'rail', 'closed'],
    [360, 'rail', 'closed'],
  ] as const)('of %i pixels have the sidebar %s and the inspector %s', (width, sidebar, inspector) => {
    expect(panesOf(wishes(width))).toMatchObject({ sidebar, inspector });
  });

  it('stay closed when the user closed them, and give their room to the view', () => {
    const panes = panesOf(wishes(1920, { isSidebarOpen: false, isInspectorOpen: false }));
    expect(panes).toMatchObject({ sidebar: 'rail', inspector: 'closed', viewWidth: 1920 - RAIL_WIDTH });
  });

  it('always leave the list at least 400 pixels beside a docked inspector', () => {
    const length = fc.integer({ min: 160, max: 900 });
    fc.assert(
      fc.property(
        fc.integer({ min: 320, max: 4000 }),
        length,
        length,
        fc.boolean(),
        (width, treeWidth, inspectorWidth, isSidebarOpen) => {
          const panes = panesOf(wishes(width, { treeWidth, inspectorWidth, isSidebarOpen }));
          if (panes.inspector === 'docked') {
            expect(panes.viewWidth - panes.inspectorWidth).toBeGreaterThanOrEqual(400);
            expect(panes.inspectorWidth).toBeGreaterThanOrEqual(Math.min(280, inspectorWidth));
          }
          expect(panes.viewWidth).toBeGreaterThan(0);
        },
      ),
    );
  });
});
