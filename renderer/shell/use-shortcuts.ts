import { useEffect } from 'react';
import { type ChordEvent, isChord } from '../features/common/commands/chords.ts';
import { isMac } from '../kit/bridge/bridge.ts';
import { APP_COMMANDS, type AppCommand, currentCommands } from './commands/command-table.ts';

/** Handles the shortcuts of the whole window. A key that is handled here does not reach the application menu. */
export function useShortcuts(): void {
  useEffect(() => {
    const onKeyDown = (event: KeyboardEvent) => {
      const command = commandOf(event);
      if (command === null) return;
      event.preventDefault();
      command.run();
    };
    // Lists, trees and tabs keep plain keys for themselves, so this one is handled before they get it.
    const onSlash = (event: KeyboardEvent) => {
      if (event.key === '/' && !isListOpen()) onKeyDown(event);
    };
    window.addEventListener('keydown', onKeyDown);
    window.addEventListener('keydown', onSlash, { capture: true });
    return () => {
      window.removeEventListener('keydown', onKeyDown);
      window.removeEventListener('keydown', onSlash, { capture: true });
    };
  }, []);
}

function commandOf(event: KeyboardEvent): AppCommand | null {
  if (event.isComposing || event.defaultPrevented) return null;
  const mod = isMac() ? event.metaKey : event.ctrlKey;
  const pressed = { key: event.key, mod, shift: event.shiftKey, alt: event.altKey };
  if (isTyping(event.target) && belongsToField(event, pressed)) return null;
  const found = [...APP_COMMANDS, ...currentCommands()].find(
    ({ chords, isOfShell }) => isOfShell !== true && chords?.some((chord) => isChord(chord, pressed)),
  );
  if (found === undefined) return null;
  return found.isAboveDialogs || !isDialogOpen() ? found : null;
}

/** Function keys type no character on any keyboard. */
const FUNCTION_KEY = /^F\d{1,2}$/;

/**
 * Returns whether a key belongs to the text field that has the focus. Plain keys are text, and Ctrl+Z is the field's own undo. On
 * a Mac, all keys with Option also belong to the field. Function keys don't: while a field has the focus, the application menu
 * does not get all of them, so the window handles them.
 */
function belongsToField({ target }: KeyboardEvent, pressed: ChordEvent): boolean {
  // Alt and an arrow open and close a list of choices.
  if (pressed.alt)
    return (
      isMac() || (target instanceof HTMLElement && target.matches('select, [role="combobox"][aria-expanded="true"]'))
    );
  if (FUNCTION_KEY.test(pressed.key)) return false;
  return !pressed.mod || isChord('mod+z', pressed);
}

function isDialogOpen(): boolean {
  return (
    document.querySelector(':is([role="dialog"], [role="alertdialog"]):not([data-exiting], [data-drawer])') !== null
  );
}

/** Open menus and lists of choices find an entry by its first letters. */
function isListOpen(): boolean {
  return document.querySelector('[data-placement]:is([role="menu"], :has([role="menu"], [role="listbox"]))') !== null;
}

/** Inputs that take no text. */
const CHOICES = '[type="checkbox"], [type="radio"], [type="range"], [type="button"], [type="submit"]';

function isTyping(target: EventTarget | null): boolean {
  if (!(target instanceof HTMLElement)) return false;
  return target.isContentEditable || target.matches(`input:not(${CHOICES}), textarea, select`);
}
