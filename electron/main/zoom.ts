import type { WebContents } from 'electron';

export type ZoomChange = 'in' | 'out' | 'reset';

/** The zoom factors of browsers, because users know these steps. */
const STEPS = [0.5, 0.67, 0.75, 0.8, 0.9, 1, 1.1, 1.25, 1.5, 1.75, 2, 2.5, 3] as const;
export const LEAST_ZOOM = STEPS[0];
export const MOST_ZOOM = 3;
const TOLERANCE = 0.001;

/** Returns the zoom factor after a change: the next step in that direction, or 1. */
export function zoomAfter(factor: number, change: ZoomChange): number {
  if (change === 'reset') return 1;
  if (change === 'in') return STEPS.find((step) => step > factor + TOLERANCE) ?? MOST_ZOOM;
  return STEPS.findLast((step) => step < factor - TOLERANCE) ?? LEAST_ZOOM;
}

export interface KeyInput {
  type: string;
  key: string;
  control: boolean;
  meta: boolean;
  alt: boolean;
}

const KEYS: ReadonlyMap<string, ZoomChange> = new Map([
  ['+', 'in'],
  ['=', 'in'],
  ['-', 'out'],
  ['_', 'out'],
  ['0', 'reset'],
]);

/**
 * Returns the zoom change of a key press; null for every other key. Both `=` and `+` enlarge, because keyboards differ in which
 * one needs Shift.
 */
export function zoomKey(input: KeyInput, platform: NodeJS.Platform): ZoomChange | null {
  const isCommand = platform === 'darwin' ? input.meta && !input.control : input.control && !input.meta;
  if (input.type !== 'keyDown' || !isCommand || input.alt) return null;
  return KEYS.get(input.key) ?? null;
}

export interface Zoom {
  /** The factor that applies to every window; 1 is the actual size. */
  factor(): number;
  set(factor: number): void;
  change(change: ZoomChange): void;
  /** Makes a page follow the zoom and handle its keys and Ctrl with the wheel. */
  attach(contents: WebContents): void;
}

export interface ZoomOptions {
  platform: NodeJS.Platform;
  /** Called after a change by the user. */
  onChange(factor: number): void;
}

/** Creates the only zoom of the app. It also applies to the sign-in window, which has no menu. */
export function createZoom({ platform, onChange }: ZoomOptions): Zoom {
  const pages = new Set<WebContents>();
  let current = 1;
  const apply = () => {
    for (const contents of pages) contents.setZoomFactor(current);
  };
  const zoom: Zoom = {
    factor: () => current,
    set(factor) {
      current = factor;
      apply();
    },
    change(change) {
      zoom.set(zoomAfter(current, change));
      onChange(current);
    },
    attach(contents) {
      pages.add(contents);
      contents.once('destroyed', () => pages.delete(contents));
      // Chromium keeps a zoom for each origin, so a navigation can change it.
      contents.on('did-navigate', () => contents.setZoomFactor(current));
      contents.on('before-input-event', (event, input) => {
        const change = zoomKey(input, platform);
        if (change === null) return;
        event.preventDefault();
        zoom.change(change);
      });
      contents.on('zoom-changed', (_event, direction) => zoom.change(direction));
    },
  };
  return zoom;
}
