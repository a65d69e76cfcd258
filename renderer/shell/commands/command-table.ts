import type { EventData, Theme } from '../../../shared/contract/contract.ts';
import { chordText } from '../../features/common/commands/chords.ts';
import { importSpreadsheet, openCollection, pick } from '../../features/common/commands/commands.ts';
import { texts } from '../../features/common/commands/texts.ts';
import { openPanel, setTheme, showSettings, showView, useApp } from '../../features/common/state/app-store.ts';
import { toggleSidebar } from '../../features/common/state/layout-store.ts';
import { warn } from '../../features/common/state/messages-store.ts';
import { redoChange, useRedos } from '../../features/common/state/undos.ts';
import { undoLatest } from '../../features/edits/undo-latest.ts';
import { openCollectionCommands } from '../../features/library/commands/collection-commands.ts';
import { selectedItemCommands } from '../../features/library/commands/item-commands.ts';
import { ITEM_FILE_COMMANDS, runForShownItem } from '../../features/library/commands/item-file-commands.ts';
import { shownItemCommands } from '../../features/library/commands/one-item-commands.ts';
import { searchCommands } from '../../features/library/commands/search-commands.ts';
import { placeInList, stepShownItem } from '../../features/library/state/step-item.ts';
import { openCheck } from '../../features/settings/state/doctor-store.ts';
import { openUpdates } from '../../features/settings/state/updates-store.ts';
import { cancelSelected } from '../../features/uploads/state/cancel-uploads.ts';
import { useOutline } from '../../features/uploads/state/outline/outline-store.ts';
import { command, openPauseDialog, pauseUntil } from '../../features/uploads/state/upload-commands.ts';
import { useUploads } from '../../features/uploads/state/uploads-store.ts';
import { pickWatchedFolder } from '../../features/watched/state/watch-commands.ts';
import { pauseChoices } from '../../kit/text/until-text.ts';
import { failuresOf } from '../../kit/text/upload-text.ts';
import { exportList, focusSearch, refreshAll, showInspector, signOutHere, zoom } from './window-commands.ts';

type MenuCommand = EventData<'onDidMenuCommand'>['command'];

/** A command of the whole window. Menu, palette, shortcuts, the dialog about them and the user guide follow this list. */
export interface AppCommand {
  id: string;
  /** Its name in the palette. */
  label: string;
  /** Its shortcuts, such as `mod+shift+o` (`mod`: Ctrl, or ⌘ on a Mac). The first one is shown. */
  chords?: readonly string[];
  /** The keys that screens show for a command without `chords`: a list handles them itself. */
  keys?: string;
  /** The command of the application menu that runs it. */
  menu?: MenuCommand;
  /** The shell handles its shortcuts, because they also work in windows that don't show this page. */
  isOfShell?: true;
  /** Its shortcut works while a dialog is open. */
  isAboveDialogs?: true;
  /** The palette does not list it. */
  isHidden?: true;
  /** Why the user can't use it now, or why it would change nothing; running it shows this reason. */
  reason?: string;
  run: () => void;
}

const names = texts.palette;
const { reasons } = texts;
type Reason = (typeof reasons)[keyof typeof reasons];
const ALL_UPLOADS = { kind: 'all' } as const;
const THEMES: readonly Theme[] = ['system', 'light', 'dark'];

/** The commands that are always available. */
export const APP_COMMANDS: readonly AppCommand[] = [
  {
    id: 'palette',
    label: names.palette,
    chords: ['mod+k'],
    isHidden: true,
    isAboveDialogs: true,
    run: () => openPanel(useApp.getState().panel === 'palette' ? null : 'palette'),
  },
  { id: 'add-files', label: names.addFiles, chords: ['mod+o'], menu: 'add-files', run: () => void pick('files') },
  {
    id: 'add-folder',
    label: names.addFolder,
    chords: ['mod+shift+o'],
    menu: 'add-folder',
    run: () => void pick('folder'),
  },
  {
    id: 'library',
    label: names.library,
    chords: ['mod+1'],
    menu: 'show-library',
    run: () => openCollection(null),
  },
  {
    id: 'uploads',
    label: names.uploads,
    chords: ['mod+2'],
    menu: 'show-uploads',
    run: () => showView('uploads'),
  },
  {
    id: 'receipts',
    label: names.receipts,
    chords: ['mod+3'],
    menu: 'show-receipts',
    run: () => showView('receipts'),
  },
  {
    id: 'watched',
    label: names.watched,
    chords: ['mod+4'],
    menu: 'show-watched',
    run: () => showView('watched'),
  },
  { id: 'edits', label: names.edits, chords: ['mod+5'], menu: 'show-edits', run: () => showView('edits') },
  {
    id: 'calendar',
    label: names.calendar,
    chords: ['mod+6'],
    menu: 'show-calendar',
    run: () => showView('calendar'),
  },
  { id: 'watch-folder', label: names.watchFolder, menu: 'watch-folder', run: () => void pickWatchedFolder() },
  {
    id: 'import-spreadsheet',
    label: names.importSpreadsheet,
    menu: 'import-spreadsheet',
    run: importSpreadsheet,
  },
  { id: 'export-list', label: names.exportList, menu: 'export-list', run: exportList },
  ...ITEM_FILE_COMMANDS.map((command) => ({
    id: command.id,
    label: command.longLabel,
    menu: command.id,
    run: () => runForShownItem(command),
    ...(command.chords === undefined ? {} : { chords: command.chords }),
  })),
  { id: 'settings', label: names.settings, chords: ['mod+,'], menu: 'show-settings', run: () => showSettings() },
  { id: 'administration', label: names.administration, run: () => showView('admin') },
  { id: 'speed', label: names.speed, run: () => showSettings('uploads') },
  { id: 'check', label: names.check, menu: 'check-uploads', run: openCheck },
  { id: 'accounts', label: names.accounts, run: () => showSettings('accounts') },
  { id: 'search', label: names.search, chords: ['mod+f', '/'], menu: 'search', run: focusSearch },
  { id: 'new-collection', label: names.newCollection, run: () => openPanel('new-collection') },
  { id: 'pause-until', label: names.pauseUntil, run: () => openPauseDialog(true) },
  { id: 'refresh', label: names.refresh, chords: ['mod+r', 'f5'], menu: 'refresh', run: () => void refreshAll() },
  { id: 'sidebar', label: names.sidebar, chords: ['mod+b'], menu: 'toggle-sidebar', run: toggleSidebar },
  { id: 'inspector', label: names.inspector, chords: ['mod+i'], menu: 'toggle-inspector', run: showInspector },
  { id: 'zoom-in', label: names.zoomIn, chords: ['mod++'], isOfShell: true, run: () => void zoom('in') },
  { id: 'zoom-out', label: names.zoomOut, chords: ['mod+−'], isOfShell: true, run: () => void zoom('out') },
  { id: 'zoom-reset', label: names.actualSize, chords: ['mod+0'], isOfShell: true, run: () => void zoom('reset') },
  ...THEMES.map((theme) => ({
    id: `theme-${theme}`,
    label: names.themes[theme],
    run: () => void setTheme(theme),
  })),
  { id: 'shortcuts', label: names.shortcuts, chords: ['?'], run: () => openPanel('shortcuts') },
  { id: 'updates', label: names.checkForUpdates, menu: 'check-for-updates', run: openUpdates },
  { id: 'about', label: names.about, menu: 'about', run: () => openPanel('about') },
  { id: 'sign-out', label: names.signOut, menu: 'sign-out', run: () => void signOutHere() },
];

/** Undoes the latest change. In a text field, Ctrl+Z (⌘Z) undoes the typing instead. */
const UNDO: AppCommand = { id: 'undo', label: names.undo, chords: ['mod+z'], run: undoLatest };

const REDO: AppCommand = {
  id: 'redo',
  label: names.redo,
  chords: ['mod+shift+z', 'mod+y'],
  run: () => redoChange(),
};

/** Moves between the items of the open list; open edits are saved first. */
const STEPS: readonly AppCommand[] = [
  { id: 'previous-item', label: names.previousItem, chords: ['alt+arrowup'], run: () => void stepShownItem(-1) },
  { id: 'next-item', label: names.nextItem, chords: ['alt+arrowdown'], run: () => void stepShownItem(1) },
];

/** Returns the commands for all uploads. A command that would change nothing now has a `reason`. */
function queueCommands(): AppCommand[] {
  const { totals } = useUploads.getState();
  const isPaused = totals?.paused === true;
  const isPausedForGood = isPaused && totals.pausedUntil === null;
  const hasPaused = totals === null || isPaused || totals.counts.paused > 0;
  const hasFailed = totals === null || failuresOf(totals) > 0;
  return [
    {
      id: 'pause-all',
      label: names.pauseAll,
      ...allowedIf(!isPausedForGood, reasons.paused, () => void command('pause', ALL_UPLOADS)),
    },
    {
      id: 'resume-all',
      label: names.resumeAll,
      ...allowedIf(hasPaused, reasons.noPaused, () => void command('resume', ALL_UPLOADS)),
    },
    {
      id: 'retry',
      label: names.retry,
      ...allowedIf(hasFailed, reasons.noFailed, () => void command('retry', { kind: 'failed' })),
    },
  ];
}

/** Returns `run` for a command that is allowed now; otherwise the reason, and a `run` that shows it. */
function allowedIf(isAllowed: boolean, reason: Reason, run: () => void): Pick<AppCommand, 'reason' | 'run'> {
  return isAllowed ? { run } : { reason: reason.text, run: () => warn(reason.text, reason.nextStep) };
}

/** Returns the commands that depend on the state: on the selection, earlier changes, the uploads, or the time of day. */
export function currentCommands(): AppCommand[] {
  const hasSelection = useOutline.getState().selected.size > 0;
  return [
    UNDO,
    ...(useRedos.getState().redos.length > 0 ? [REDO] : []),
    ...(hasSelection ? [{ id: 'cancel', label: names.cancel, keys: names.keys.delete, run: cancelSelected }] : []),
    ...(useApp.getState().view === 'library'
      ? [
          ...(placeInList() === null ? [] : STEPS),
          ...selectedItemCommands(),
          ...shownItemCommands(),
          ...openCollectionCommands(),
        ]
      : []),
    ...searchCommands(),
    ...queueCommands(),
    ...pauseChoices(Date.now()).map(({ id, label, untilMs }) => ({
      id: `pause-${id}`,
      label: names.pauseAllFor(label),
      run: () => void pauseUntil(untilMs),
    })),
  ];
}

/** The commands of the window with shortcuts, for the dialog about them and for the user guide. */
export const SHORTCUT_COMMANDS: readonly AppCommand[] = [...APP_COMMANDS, UNDO, REDO, ...STEPS].filter(
  ({ chords }) => chords !== undefined,
);

/** All other commands of the menu need a signed-in account. */
const WITHOUT_ACCOUNT: ReadonlySet<string> = new Set(['about', 'check-for-updates']);

/** Runs a command of the application menu. */
export function runMenuCommand({ command: name }: EventData<'onDidMenuCommand'>): void {
  if (!WITHOUT_ACCOUNT.has(name) && useApp.getState().siteId === null) {
    warn(texts.needsAccount, texts.needsAccountNext);
    return;
  }
  APP_COMMANDS.find(({ menu }) => menu === name)?.run();
}

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
