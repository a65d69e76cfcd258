import { z } from 'zod';
import type { StoredJson } from './stored-json.ts';
import { LEAST_ZOOM, MOST_ZOOM } from './zoom.ts';

export interface Rectangle {
  x: number;
  y: number;
  width: number;
  height: number;
}

export const MINIMUM_SIZE = { width: 720, height: 500 };
export const DEFAULT_SIZE = { width: 1360, height: 860 };

const integer = z.number().int();
const windowStateSchema = z.object({
  bounds: z.object({ x: integer, y: integer, width: integer, height: integer }).nullable(),
  maximized: z.boolean(),
  theme: z.enum(['system', 'light', 'dark']),
  /** The zoom factor of every window; 1 in a file that an earlier version wrote without it. */
  zoom: z.number().min(LEAST_ZOOM).max(MOST_ZOOM).default(1),
  /** Off in a file that an earlier version wrote without it. Not used on a Mac. */
  spelling: z
    .object({ isOn: z.boolean(), languages: z.array(z.string()).max(10) })
    .default({ isOn: false, languages: [] }),
});

/** The last state of the window. `bounds` are those of the window when it is not maximized. */
export type WindowState = z.output<typeof windowStateSchema>;

export const freshWindowState: WindowState = {
  bounds: null,
  maximized: false,
  theme: 'system',
  zoom: 1,
  spelling: { isOn: false, languages: [] },
};

/** Returns where the state of the window is stored. */
export function storedWindowState(file: string): StoredJson<typeof windowStateSchema.shape> {
  return { file, schema: windowStateSchema, fresh: freshWindowState };
}

/**
 * Returns the bounds of the new window: the saved ones if they are still on a screen (a screen may be disconnected), otherwise
 * centered by the system. Sizes are limited to the screen and the minimum.
 */
export function placeWindow(
  remembered: Rectangle | null,
  workAreas: readonly Rectangle[],
): Partial<Rectangle> & { width: number; height: number } {
  if (remembered === null) return fitSize(DEFAULT_SIZE, workAreas[0]);
  const area = areaOf(remembered, workAreas);
  const size = fitSize(remembered, area ?? workAreas[0]);
  return area ? { x: remembered.x, y: remembered.y, ...size } : size;
}

/** Returns whether the title bar of a window is on a screen, so that the user can move the window. */
export function isReachable(bounds: Rectangle, workAreas: readonly Rectangle[]): boolean {
  return areaOf(bounds, workAreas) !== undefined;
}

/** Returns the work area with the middle of the title bar. */
function areaOf(bounds: Rectangle, workAreas: readonly Rectangle[]): Rectangle | undefined {
  const grip = { x: bounds.x + bounds.width / 2, y: bounds.y + 16 };
  return workAreas.find(
    (each) => grip.x >= each.x && grip.x < each.x + each.width && grip.y >= each.y && grip.y < each.y + each.height,
  );
}

function fitSize(size: { width: number; height: number }, area: Rectangle | undefined) {
  const limit = area ?? { width: Number.POSITIVE_INFINITY, height: Number.POSITIVE_INFINITY };
  return {
    width: Math.max(MINIMUM_SIZE.width, Math.min(size.width, limit.width)),
    height: Math.max(MINIMUM_SIZE.height, Math.min(size.height, limit.height)),
  };
}
