/** What a key event says about a chord. */
export interface ChordEvent {
  key: string;
  /** Ctrl, or ⌘ on a Mac. */
  mod: boolean;
  shift: boolean;
}

/** Keys that need Shift on some keyboards: their chords ignore it. */
const WITH_ANY_SHIFT = /^[^a-z]$/;

/** Whether a key event is a chord such as `mod+shift+o`, `f5` or `?`. */
export function isChord(chord: string, { key, mod, shift }: ChordEvent): boolean {
  const parts = partsOf(chord);
  const pressed = key.toLowerCase();
  if (parts.key !== pressed || parts.mod !== mod) return false;
  return parts.shift === shift || WITH_ANY_SHIFT.test(pressed);
}

/** Returns a chord as screens show it. `mod`: the modifier as shortcuts name it, `Ctrl+` or `⌘`. */
export function chordText(chord: string, mod: string): string {
  const { key, mod: hasMod, shift } = partsOf(chord);
  const shown = key.length === 1 || /^f\d+$/.test(key) ? key.toUpperCase() : key;
  return `${hasMod ? mod : ''}${shift ? (mod === '⌘' ? '⇧' : 'Shift+') : ''}${shown}`;
}

function partsOf(chord: string): ChordEvent {
  const mod = chord.startsWith('mod+');
  const rest = mod ? chord.slice('mod+'.length) : chord;
  const shift = rest.startsWith('shift+');
  return { key: shift ? rest.slice('shift+'.length) : rest, mod, shift };
}
