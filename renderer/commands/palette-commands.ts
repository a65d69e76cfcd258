import { chordText } from './chords.ts';
import { APP_COMMANDS, currentCommands } from './command-table.ts';

interface PaletteCommand {
  id: string;
  label: string;
  keys: string;
  run: () => void;
}

/** Returns the commands of the palette. `mod` is the modifier as shortcuts name it: `Ctrl+` or `⌘`. */
export function paletteCommands(mod: string): PaletteCommand[] {
  return [...currentCommands(), ...APP_COMMANDS]
    .filter(({ isHidden }) => isHidden !== true)
    .map(({ id, label, chords, keys, run }) => {
      const [chord] = chords ?? [];
      return { id, label, keys: keys ?? (chord === undefined ? '' : chordText(chord, mod)), run };
    });
}
