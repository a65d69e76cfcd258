/** A key event in the player or preview. */
export interface ViewerKey {
  key: string;
  alt: boolean;
  /** Ctrl or ⌘. */
  mod: boolean;
  /** The control that has the focus: its own keys belong to it. */
  on: 'button' | 'slider' | null;
}

/** What the player or preview shows. */
export interface ViewerState {
  mode: 'player' | 'preview';
  content: 'recording' | 'image' | 'other';
  /** The list behind is a grid of tiles, where items follow each other from left to right. */
  isGrid: boolean;
  /** The picture is larger than its place: the arrow keys move it. */
  isZoomed: boolean;
}

export type ViewerCommand = 'previous' | 'next' | 'close' | 'open';

const ALWAYS: Keys = { n: 'next', p: 'previous' };
const WITH_ALT: Keys = { arrowup: 'previous', arrowdown: 'next' };
const PREVIEW: Keys = { ' ': 'close', enter: 'open', ...WITH_ALT };
const SIDEWAYS: Keys = { arrowleft: 'previous', arrowright: 'next' };

type Keys = Readonly<Record<string, ViewerCommand>>;

/** The keys of a control that has the focus. */
const OWN_KEYS = { slider: /^(?:arrow|page|home|end)/, button: /^(?: |enter)$/ };

/**
 * Returns what a key does in the player or preview; null for keys that belong to the recording, the picture or the focused control.
 * In the player, plain arrow keys seek in a recording, so other keys move between items.
 */
export function viewerCommand({ key, alt, mod, on }: ViewerKey, state: ViewerState): ViewerCommand | null {
  const pressed = key.toLowerCase();
  if (mod) return null;
  if (alt) return WITH_ALT[pressed] ?? null;
  if (on !== null && OWN_KEYS[on].test(pressed)) return null;
  const keys = {
    ...ALWAYS,
    ...(state.mode === 'preview' ? PREVIEW : {}),
    ...(stepsSideways(state) ? SIDEWAYS : {}),
  };
  return keys[pressed] ?? null;
}

/** Returns whether the left and right arrow keys move between items. */
function stepsSideways({ mode, content, isGrid, isZoomed }: ViewerState): boolean {
  return content === 'recording' ? mode === 'preview' && isGrid : !isZoomed;
}
