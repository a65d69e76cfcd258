import { chordText } from '../../features/common/commands/chords.ts';
import { APP_COMMANDS, currentCommands } from './command-table.ts';

interface PaletteCommand {
  id: string;
  label: string;
  keys: string;
  /** Why the user can't use it; running it shows this reason. */
  reason?: string;
  run: () => void;
}

/** Returns the commands of the palette. `mod` is the modifier as shortcuts name it: `Ctrl+` or `⌘`. */
export function paletteCommands(mod: string): PaletteCommand[] {
  return [...currentCommands(), ...APP_COMMANDS]
    .filter(({ isHidden }) => isHidden !== true)
    .map(({ id, label, chords, keys, reason, run }) => {
      const [chord] = chords ?? [];
      const shown = keys ?? (chord === undefined ? '' : chordText(chord, mod));
      return { id, label, keys: shown, ...(reason === undefined ? {} : { reason }), run };
    });
}
