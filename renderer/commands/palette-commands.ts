import type { Theme } from '../../shared/contract/contract.ts';
import { openPanel, setTheme, showSettings, showView } from '../stores/app/app-store.ts';
import { openCheck } from '../stores/app/doctor-store.ts';
import { toggleSidebar } from '../stores/app/layout-store.ts';
import { cancelSelected, undoCancel, useCancel } from '../stores/uploads/cancel-uploads.ts';
import { command, openPauseDialog, pauseUntil } from '../stores/uploads/upload-commands.ts';
import { uploadsList } from '../stores/uploads/uploads-store.ts';
import { pauseChoices } from '../text/until-text.ts';
import { focusSearch, openCollection, pick, refreshAll, showInspector, signOutHere, zoom } from './commands.ts';

interface PaletteCommand {
  id: string;
  label: string;
  keys: string;
  run: () => void;
}

/** Returns the commands of the palette. `mod` is the modifier as shortcuts name it: `Ctrl+` or `⌘`. */
export function paletteCommands(mod: string): PaletteCommand[] {
  const themes: [Theme, string][] = [
    ['system', 'Theme: as the system'],
    ['light', 'Theme: light'],
    ['dark', 'Theme: dark'],
  ];
  const all = { kind: 'all' } as const;
  return [
    { id: 'add-files', label: 'Add files…', keys: `${mod}O`, run: () => void pick('files') },
    { id: 'add-folder', label: 'Add a folder…', keys: `${mod}⇧O`, run: () => void pick('folder') },
    { id: 'library', label: 'Show library', keys: `${mod}1`, run: () => openCollection(null) },
    { id: 'uploads', label: 'Show uploads', keys: `${mod}2`, run: () => showView('uploads') },
    { id: 'receipts', label: 'Show receipts', keys: `${mod}3`, run: () => showView('receipts') },
    { id: 'settings', label: 'Settings', keys: `${mod},`, run: () => showSettings() },
    { id: 'speed', label: 'Settings: speed limit and timetable', keys: '', run: () => showSettings('uploads') },
    { id: 'check', label: 'Check my uploads', keys: '', run: openCheck },
    { id: 'accounts', label: 'Settings: accounts', keys: '', run: () => showSettings('accounts') },
    { id: 'search', label: 'Search media', keys: `${mod}F`, run: focusSearch },
    { id: 'new-collection', label: 'New collection…', keys: '', run: () => openPanel('new-collection') },
    { id: 'pause-all', label: 'Pause all uploads', keys: '', run: () => void command('pause', all) },
    ...pauseChoices(Date.now()).map(({ id, label, untilMs }) => ({
      id: `pause-${id}`,
      label: `Pause all uploads: ${label.charAt(0).toLowerCase()}${label.slice(1)}`,
      keys: '',
      run: () => void pauseUntil(untilMs),
    })),
    { id: 'pause-until', label: 'Pause all uploads until a time…', keys: '', run: () => openPauseDialog(true) },
    { id: 'resume-all', label: 'Resume all uploads', keys: '', run: () => void command('resume', all) },
    ...cancelCommands(mod),
    { id: 'retry', label: 'Retry failed uploads', keys: '', run: () => void command('retry', { kind: 'failed' }) },
    { id: 'refresh', label: 'Refresh', keys: `${mod}R`, run: () => void refreshAll() },
    { id: 'sidebar', label: 'Show or hide the sidebar', keys: `${mod}B`, run: toggleSidebar },
    { id: 'inspector', label: 'Show or hide the inspector', keys: `${mod}I`, run: showInspector },
    { id: 'zoom-in', label: 'Zoom in', keys: `${mod}+`, run: () => void zoom('in') },
    { id: 'zoom-out', label: 'Zoom out', keys: `${mod}−`, run: () => void zoom('out') },
    { id: 'zoom-reset', label: 'Zoom: actual size', keys: `${mod}0`, run: () => void zoom('reset') },
    ...themes.map(([theme, label]) => ({ id: `theme-${theme}`, label, keys: '', run: () => void setTheme(theme) })),
    { id: 'shortcuts', label: 'Keyboard shortcuts', keys: '?', run: () => openPanel('shortcuts') },
    { id: 'about', label: 'About Mediadesk', keys: '', run: () => openPanel('about') },
    { id: 'sign-out', label: 'Sign out', keys: '', run: () => void signOutHere() },
  ];
}

/** The commands about cancelling that apply now. */
function cancelCommands(mod: string): PaletteCommand[] {
  const hasSelection = uploadsList.useList.getState().selection.ids.size > 0;
  const canUndo = useCancel.getState().undos.length > 0;
  return [
    ...(hasSelection
      ? [{ id: 'cancel', label: 'Cancel the selected uploads…', keys: 'Delete', run: cancelSelected }]
      : []),
    ...(canUndo ? [{ id: 'undo-cancel', label: 'Undo the cancel', keys: `${mod}Z`, run: () => undoCancel() }] : []),
  ];
}
