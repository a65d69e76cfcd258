import type { EventData, Theme } from '../../shared/contract/contract.ts';
import { call } from '../bridge/bridge.ts';
import { currentSite, openPanel, setTheme, showSettings, showView, signOut, useApp } from '../stores/app/app-store.ts';
import { openCheck } from '../stores/app/doctor-store.ts';
import { attempt, warn } from '../stores/app/messages-store.ts';
import { loadDetail } from '../stores/library/inspector-store.ts';
import { mediaList } from '../stores/library/media-store.ts';
import { reloadTree, selectCollection, useTree } from '../stores/library/tree-store.ts';
import { openAddSheet } from '../stores/uploads/add-store.ts';
import { cancelSelected, undoCancel, useCancel } from '../stores/uploads/cancel-uploads.ts';
import { command, openPauseDialog, pauseUntil } from '../stores/uploads/upload-commands.ts';
import { loadUploads, uploadsList } from '../stores/uploads/uploads-store.ts';
import { pauseChoices } from '../text/until-text.ts';

/** Lets the person pick files or a folder, then opens the sheet. */
export function pick(kind: 'files' | 'folder'): Promise<void> {
  return attempt(async () => {
    const { siteId } = useApp.getState();
    if (siteId === null) return;
    const paths = await call(kind === 'files' ? 'shell.pickFiles' : 'shell.pickFolder', null);
    if (paths.length === 0) return;
    openAddSheet(siteId, useTree.getState().selectedId, paths);
  });
}

/** Forgets what is cached and asks the library again for all that is shown. */
export function refreshAll(): Promise<void> {
  return attempt(async () => {
    const { siteId } = useApp.getState();
    if (siteId === null) return;
    await call('library.refresh', { siteId });
    reloadTree();
    mediaList.refresh();
    await Promise.all([loadDetail(), loadUploads()]);
  });
}

/** Puts the keyboard into the search box of the view. */
export function focusSearch(): void {
  showView('library');
  // The box may be about to be painted by the change of view.
  requestAnimationFrame(() => {
    const box = document.querySelector<HTMLInputElement>('[data-search] input');
    box?.focus();
    box?.select();
  });
}

export function openCollection(id: string | null): void {
  selectCollection(id);
  showView('library');
}

export function signOutHere(): Promise<void> {
  return attempt(async () => {
    const site = currentSite(useApp.getState());
    if (site !== null) await signOut(site.id);
  });
}

export function runMenuCommand({ command: name }: EventData<'onDidMenuCommand'>): void {
  // All else is done in the window of somebody who is signed in.
  if (name !== 'about' && useApp.getState().siteId === null) {
    warn('That needs an account.', 'Sign in first.');
    return;
  }
  switch (name) {
    case 'add-files':
      void pick('files');
      return;
    case 'add-folder':
      void pick('folder');
      return;
    case 'sign-out':
      void signOutHere();
      return;
    case 'refresh':
      void refreshAll();
      return;
    case 'search':
      focusSearch();
      return;
    case 'show-library':
      showView('library');
      return;
    case 'show-uploads':
      showView('uploads');
      return;
    case 'show-receipts':
      showView('receipts');
      return;
    case 'show-settings':
      showSettings();
      return;
    case 'check-uploads':
      openCheck();
      return;
    case 'about':
      openPanel('about');
      return;
  }
}

export interface PaletteCommand {
  id: string;
  label: string;
  keys: string;
  run: () => void;
}

/** Every command that has a name, for the palette. `mod` is Ctrl or ⌘. */
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
    ...themes.map(([theme, label]) => ({ id: `theme-${theme}`, label, keys: '', run: () => void setTheme(theme) })),
    { id: 'shortcuts', label: 'Keyboard shortcuts', keys: '?', run: () => openPanel('shortcuts') },
    { id: 'about', label: 'About Mediadesk', keys: '', run: () => openPanel('about') },
    { id: 'sign-out', label: 'Sign out', keys: '', run: () => void signOutHere() },
  ];
}

/** Those that apply now. */
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
