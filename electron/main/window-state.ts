import { existsSync, mkdirSync, readFileSync, writeFileSync } from 'node:fs';
import { readFile } from 'node:fs/promises';
import { dirname } from 'node:path';
import { z } from 'zod';
import { withChanges } from '../../shared/model/keep-unknown.ts';
import { renameFileNow } from '../engine/ports/system/rename-file.ts';
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
  ...{ bounds: null, maximized: false, theme: 'system', zoom: 1 },
  spelling: { isOn: false, languages: [] },
};

/** Reads the saved state. A missing or damaged file is not an error: an unreadable part has its default. */
export async function readWindowState(file: string): Promise<WindowState> {
  let text: string;
  try {
    text = await readFile(file, 'utf8');
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code === 'ENOENT') return freshWindowState;
    throw error;
  }
  return knownState(parsed(text));
}

/** Returns the value of a JSON text; null for invalid JSON. */
function parsed(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    return null;
  }
}

/** Returns the part of a stored state that this version can read. Other members have their default. */
function knownState(stored: unknown): WindowState {
  const members = typeof stored === 'object' && stored !== null ? (stored as Record<string, unknown>) : {};
  const known = Object.entries(windowStateSchema.shape).flatMap(([name, schema]) => {
    const read = schema.safeParse(members[name]);
    return read.success ? [[name, read.data]] : [];
  });
  return { ...freshWindowState, ...Object.fromEntries(known) };
}

/**
 * Writes the state. Unknown parts of the stored state, such as members of a newer version, are kept. Writes by rename, so that a
 * crash leaves the old state or the new one. Synchronous, because the last write happens while the window closes and must not be
 * lost. The file has a hundred bytes.
 */
export function writeWindowState(file: string, state: WindowState): void {
  mkdirSync(dirname(file), { recursive: true, mode: 0o700 });
  const temporary = `${file}.new`;
  const stored = existsSync(file) ? parsed(readFileSync(file, 'utf8')) : null;
  const text = JSON.stringify(withChanges(stored ?? state, knownState(stored), state));
  writeFileSync(temporary, text, { mode: 0o600 });
  renameFileNow(temporary, file);
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
  const grip = { x: remembered.x + remembered.width / 2, y: remembered.y + 16 };
  const area = workAreas.find(
    (each) => grip.x >= each.x && grip.x < each.x + each.width && grip.y >= each.y && grip.y < each.y + each.height,
  );
  const size = fitSize(remembered, area ?? workAreas[0]);
  return area ? { x: remembered.x, y: remembered.y, ...size } : size;
}

function fitSize(size: { width: number; height: number }, area: Rectangle | undefined) {
  const limit = area ?? { width: Number.POSITIVE_INFINITY, height: Number.POSITIVE_INFINITY };
  return {
    width: Math.max(MINIMUM_SIZE.width, Math.min(size.width, limit.width)),
    height: Math.max(MINIMUM_SIZE.height, Math.min(size.height, limit.height)),
  };
}
