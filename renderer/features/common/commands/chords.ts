/** The parts of a key event that decide whether it is a chord: a key combination such as `mod+shift+o`. */
export interface ChordEvent {
  key: string;
  /** Ctrl, or ⌘ on a Mac. */
  mod: boolean;
  shift: boolean;
  alt: boolean;
}

/** Keys other than letters: some keyboards need Shift for them, so their chords match with and without Shift. */
const WITH_ANY_SHIFT = /^[^a-z]$/;

/** Returns whether a key event is a chord such as `mod+shift+o`, `f5` or `?`. */
export function isChord(chord: string, { key, mod, shift, alt }: ChordEvent): boolean {
  const parts = partsOf(chord);
  const pressed = key === ' ' ? 'space' : key.toLowerCase();
  if (parts.key !== pressed || parts.mod !== mod || parts.alt !== alt) return false;
  return parts.shift === shift || WITH_ANY_SHIFT.test(pressed);
}

const KEY_NAMES: Readonly<Record<string, string>> = {
  arrowup: '↑',
  arrowdown: '↓',
  arrowleft: '←',
  arrowright: '→',
  enter: 'Enter',
  space: 'Space',
  escape: 'Esc',
  delete: 'Delete',
};

/** Returns a chord as screens show it. `mod`: the modifier as shortcuts name it, `Ctrl+` or `⌘`. */
export function chordText(chord: string, mod: string): string {
  const { key, mod: hasMod, shift, alt } = partsOf(chord);
  const shown = KEY_NAMES[key] ?? (key.length === 1 || /^f\d+$/.test(key) ? key.toUpperCase() : key);
  const isMac = mod === '⌘';
  return `${alt ? (isMac ? '⌥' : 'Alt+') : ''}${hasMod ? mod : ''}${shift ? (isMac ? '⇧' : 'Shift+') : ''}${shown}`;
}

function partsOf(chord: string): ChordEvent {
  const alt = chord.startsWith('alt+');
  const behindAlt = alt ? chord.slice('alt+'.length) : chord;
  const mod = behindAlt.startsWith('mod+');
  const rest = mod ? behindAlt.slice('mod+'.length) : behindAlt;
  const shift = rest.startsWith('shift+');
  return { key: shift ? rest.slice('shift+'.length) : rest, mod, shift, alt };
}
