import { useEffect } from 'react';
import { isMac } from '../../bridge/bridge.ts';
import { focusSearch, openCollection, pick, refreshAll, showInspector } from '../../commands/commands.ts';
import { openPanel, showSettings, showView, useApp } from '../../stores/app/app-store.ts';
import { toggleSidebar } from '../../stores/app/layout-store.ts';
import { undoChange, useUndos } from '../../stores/app/undos.ts';

/** Handles the shortcuts of the whole window. A key that is handled here does not reach the application menu. */
export function useShortcuts(): void {
  useEffect(() => {
    const onKeyDown = (event: KeyboardEvent) => {
      const run = shortcutOf(event);
      if (run === null) return;
      event.preventDefault();
      run();
    };
    window.addEventListener('keydown', onKeyDown);
    return () => window.removeEventListener('keydown', onKeyDown);
  }, []);
}

function shortcutOf(event: KeyboardEvent): (() => void) | null {
  if (event.isComposing || event.altKey) return null;
  const mod = isMac() ? event.metaKey : event.ctrlKey;
  const isDialogOpen =
    document.querySelector(':is([role="dialog"], [role="alertdialog"]):not([data-exiting], [data-drawer])') !== null;
  const key = event.key.toLowerCase();
  if (mod && key === 'k') {
    return () => openPanel(useApp.getState().panel === 'palette' ? null : 'palette');
  }
  if (isDialogOpen) return null;
  if (mod && !(key === 'z' && isTyping(event.target))) return modShortcut(key, event.shiftKey);
  if (isTyping(event.target)) return null;
  if (key === '/') return focusSearch;
  if (key === '?') return () => openPanel('shortcuts');
  if (key === 'f5') return () => void refreshAll();
  return null;
}

function modShortcut(key: string, shift: boolean): (() => void) | null {
  switch (key) {
    case 'f':
      return focusSearch;
    case 'o':
      return () => void pick(shift ? 'folder' : 'files');
    case '1':
      return () => openCollection(null);
    case '2':
      return () => showView('uploads');
    case '3':
      return () => showView('receipts');
    case '4':
      return () => showView('watched');
    case 'b':
      return shift ? null : toggleSidebar;
    case 'i':
      return shift ? null : showInspector;
    case ',':
      return () => showSettings();
    case 'z':
      return shift || useUndos.getState().undos.length === 0 ? null : undoChange;
    case 'r':
      return shift ? null : () => void refreshAll();
    default:
      return null;
  }
}

function isTyping(target: EventTarget | null): boolean {
  if (!(target instanceof HTMLElement)) return false;
  return target.isContentEditable || target.matches('input, textarea, select');
}
