import type { Theme } from '../../shared/contract/contract.ts';
import { openPanel, setTheme, showSettings, showView } from '../stores/app/app-store.ts';
import { openCheck } from '../stores/app/doctor-store.ts';
import { toggleSidebar } from '../stores/app/layout-store.ts';
import { undoChange, useUndos } from '../stores/app/undos.ts';
import { cancelSelected } from '../stores/uploads/cancel-uploads.ts';
import { useOutline } from '../stores/uploads/outline/outline-store.ts';
import { command, openPauseDialog, pauseUntil } from '../stores/uploads/upload-commands.ts';
import { pauseChoices } from '../text/until-text.ts';
import { focusSearch, openCollection, pick, refreshAll, showInspector, signOutHere, zoom } from './commands.ts';
import { texts } from './texts.ts';
import { pickWatchedFolder } from './watch.ts';

const names = texts.palette;

interface PaletteCommand {
  id: string;
  label: string;
  keys: string;
  run: () => void;
}

/** Returns the commands of the palette. `mod` is the modifier as shortcuts name it: `Ctrl+` or `⌘`. */
export function paletteCommands(mod: string): PaletteCommand[] {
  const themes: readonly Theme[] = ['system', 'light', 'dark'];
  const all = { kind: 'all' } as const;
  return [
    { id: 'add-files', label: names.addFiles, keys: `${mod}O`, run: () => void pick('files') },
    { id: 'add-folder', label: names.addFolder, keys: `${mod}⇧O`, run: () => void pick('folder') },
    { id: 'library', label: names.library, keys: `${mod}1`, run: () => openCollection(null) },
    { id: 'uploads', label: names.uploads, keys: `${mod}2`, run: () => showView('uploads') },
    { id: 'watch-folder', label: names.watchFolder, keys: '', run: () => void pickWatchedFolder() },
    { id: 'watched', label: names.watched, keys: `${mod}4`, run: () => showView('watched') },
    { id: 'receipts', label: names.receipts, keys: `${mod}3`, run: () => showView('receipts') },
    { id: 'settings', label: names.settings, keys: `${mod},`, run: () => showSettings() },
    { id: 'speed', label: names.speed, keys: '', run: () => showSettings('uploads') },
    { id: 'check', label: names.check, keys: '', run: openCheck },
    { id: 'accounts', label: names.accounts, keys: '', run: () => showSettings('accounts') },
    { id: 'search', label: names.search, keys: `${mod}F`, run: focusSearch },
    { id: 'new-collection', label: names.newCollection, keys: '', run: () => openPanel('new-collection') },
    { id: 'pause-all', label: names.pauseAll, keys: '', run: () => void command('pause', all) },
    ...pauseChoices(Date.now()).map(({ id, label, untilMs }) => ({
      id: `pause-${id}`,
      label: names.pauseAllFor(label),
      keys: '',
      run: () => void pauseUntil(untilMs),
    })),
    { id: 'pause-until', label: names.pauseUntil, keys: '', run: () => openPauseDialog(true) },
    { id: 'resume-all', label: names.resumeAll, keys: '', run: () => void command('resume', all) },
    ...currentCommands(mod),
    { id: 'retry', label: names.retry, keys: '', run: () => void command('retry', { kind: 'failed' }) },
    { id: 'refresh', label: names.refresh, keys: `${mod}R`, run: () => void refreshAll() },
    { id: 'sidebar', label: names.sidebar, keys: `${mod}B`, run: toggleSidebar },
    { id: 'inspector', label: names.inspector, keys: `${mod}I`, run: showInspector },
    { id: 'zoom-in', label: names.zoomIn, keys: `${mod}+`, run: () => void zoom('in') },
    { id: 'zoom-out', label: names.zoomOut, keys: `${mod}−`, run: () => void zoom('out') },
    { id: 'zoom-reset', label: names.actualSize, keys: `${mod}0`, run: () => void zoom('reset') },
    ...themes.map((theme) => ({
      id: `theme-${theme}`,
      label: names.themes[theme],
      keys: '',
      run: () => void setTheme(theme),
    })),
    { id: 'shortcuts', label: names.shortcuts, keys: '?', run: () => openPanel('shortcuts') },
    { id: 'about', label: names.about, keys: '', run: () => openPanel('about') },
    { id: 'sign-out', label: names.signOut, keys: '', run: () => void signOutHere() },
  ];
}

/** The commands that depend on a selection or on earlier changes, as far as they apply now. */
function currentCommands(mod: string): PaletteCommand[] {
  const hasSelection = useOutline.getState().selected.size > 0;
  const canUndo = useUndos.getState().undos.length > 0;
  return [
    ...(hasSelection ? [{ id: 'cancel', label: names.cancel, keys: names.keys.delete, run: cancelSelected }] : []),
    ...(canUndo ? [{ id: 'undo', label: names.undo, keys: `${mod}Z`, run: () => undoChange() }] : []),
  ];
}
