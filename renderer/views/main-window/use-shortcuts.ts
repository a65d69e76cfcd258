import { useEffect } from 'react';
import { isMac } from '../../bridge/bridge.ts';
import { isChord } from '../../commands/chords.ts';
import { APP_COMMANDS, type AppCommand, currentCommands } from '../../commands/command-table.ts';

/** Handles the shortcuts of the whole window. A key that is handled here does not reach the application menu. */
export function useShortcuts(): void {
  useEffect(() => {
    const onKeyDown = (event: KeyboardEvent) => {
      const command = commandOf(event);
      if (command === null) return;
      event.preventDefault();
      command.run();
    };
    window.addEventListener('keydown', onKeyDown);
    return () => window.removeEventListener('keydown', onKeyDown);
  }, []);
}

function commandOf(event: KeyboardEvent): AppCommand | null {
  if (event.isComposing || event.altKey) return null;
  const mod = isMac() ? event.metaKey : event.ctrlKey;
  const pressed = { key: event.key, mod, shift: event.shiftKey };
  // In a text field, plain keys are text, and Ctrl+Z is the field's own undo.
  if (isTyping(event.target) && (!mod || isChord('mod+z', pressed))) return null;
  const found = [...APP_COMMANDS, ...currentCommands()].find(
    ({ chords, isOfShell }) => isOfShell !== true && chords?.some((chord) => isChord(chord, pressed)),
  );
  if (found === undefined) return null;
  return found.isAboveDialogs || !isDialogOpen() ? found : null;
}

function isDialogOpen(): boolean {
  return (
    document.querySelector(':is([role="dialog"], [role="alertdialog"]):not([data-exiting], [data-drawer])') !== null
  );
}

function isTyping(target: EventTarget | null): boolean {
  if (!(target instanceof HTMLElement)) return false;
  return target.isContentEditable || target.matches('input, textarea, select');
}
