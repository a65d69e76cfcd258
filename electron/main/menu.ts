import type { MenuItemConstructorOptions } from 'electron';
import type { EventData } from '../../shared/contract/contract.ts';
import { texts } from './texts.ts';
import type { WindowState } from './window-state.ts';
import type { ZoomChange } from './zoom.ts';

export type MenuCommand = EventData<'onDidMenuCommand'>['command'];

export interface MenuOptions {
  platform: NodeJS.Platform;
  /** Adds reload and developer tools, for developers of Mediadesk. */
  development: boolean;
  theme: WindowState['theme'];
  /** Sends the command to the screen, which runs it. */
  send(command: MenuCommand): void;
  setTheme(theme: WindowState['theme']): void;
  zoom(change: ZoomChange): void;
  quitsWhenFinished: boolean;
  setQuitWhenFinished(isOn: boolean): void;
}

/** Returns the application menu as a plain value. The keyboard reaches every command. */
export function menuTemplate(options: MenuOptions): MenuItemConstructorOptions[] {
  const { send, setTheme, theme, zoom } = options;
  const words = texts.menu;
  const mac = options.platform === 'darwin';
  const item = (label: string, command: MenuCommand, accelerator?: string): MenuItemConstructorOptions => ({
    id: command,
    label,
    ...(accelerator ? { accelerator } : {}),
    click: () => send(command),
  });
  const themeItem = (value: WindowState['theme']): MenuItemConstructorOptions => ({
    id: `theme-${value}`,
    label: words.themes[value],
    type: 'radio',
    checked: theme === value,
    click: () => setTheme(value),
  });
  const zoomItem = (label: string, change: ZoomChange, accelerator: string): MenuItemConstructorOptions => ({
    id: `zoom-${change}`,
    label,
    accelerator,
    // zoom.ts handles the keys in every window, with the variants of other keyboards; the menu only shows one of them.
    registerAccelerator: mac,
    click: () => zoom(change),
  });
  const line: MenuItemConstructorOptions = { type: 'separator' };
  const about = item(words.about, 'about');
  const updates = item(words.checkForUpdates, 'check-for-updates');
  const settings = item(words.settings, 'show-settings', 'CmdOrCtrl+,');
  const check = item(words.checkUploads, 'check-uploads');

  const whenFinished: MenuItemConstructorOptions = {
    id: 'quit-when-finished',
    label: words.quitWhenFinished,
    type: 'checkbox',
    checked: options.quitsWhenFinished,
    click: () => options.setQuitWhenFinished(!options.quitsWhenFinished),
  };

  const macMenu: MenuItemConstructorOptions[] = [
    {
      label: words.app,
      submenu: [
        about,
        updates,
        line,
        settings,
        line,
        { role: 'services' },
        line,
        { role: 'hide' },
        { role: 'hideOthers', label: words.hideOthers },
        line,
        whenFinished,
        { role: 'quit' },
      ],
    },
  ];
  const development: MenuItemConstructorOptions[] = [
    line,
    { role: 'reload', label: words.reload },
    { role: 'toggleDevTools', label: words.developerTools },
  ];
  return [
    ...(mac ? macMenu : []),
    {
      label: words.file,
      submenu: [
        item(words.addFiles, 'add-files', 'CmdOrCtrl+O'),
        item(words.addFolder, 'add-folder', 'CmdOrCtrl+Shift+O'),
        item(words.watchFolder, 'watch-folder'),
        line,
        item(words.importSpreadsheet, 'import-spreadsheet'),
        item(words.exportList, 'export-list'),
        line,
        item(words.itemFiles, 'item-add-files', 'CmdOrCtrl+Shift+A'),
        item(words.itemCaptions, 'item-captions'),
        item(words.itemThumbnail, 'item-thumbnail'),
        item(words.itemWeb, 'item-web'),
        line,
        ...(mac ? [] : [settings, line]),
        item(words.signOut, 'sign-out'),
        ...(mac ? [] : [line, whenFinished, { role: 'quit', label: words.quit } as const]),
      ],
    },
    {
      label: words.edit,
      submenu: [
        { role: 'undo' },
        { role: 'redo' },
        line,
        { role: 'cut' },
        { role: 'copy' },
        { role: 'paste' },
        { role: 'delete' },
        { role: 'selectAll', label: words.selectAll },
        line,
        item(words.find, 'search', 'CmdOrCtrl+F'),
      ],
    },
    {
      label: words.view,
      submenu: [
        item(words.library, 'show-library', 'CmdOrCtrl+1'),
        item(words.uploads, 'show-uploads', 'CmdOrCtrl+2'),
        item(words.receipts, 'show-receipts', 'CmdOrCtrl+3'),
        item(words.watched, 'show-watched', 'CmdOrCtrl+4'),
        item(words.edits, 'show-edits', 'CmdOrCtrl+5'),
        item(words.calendar, 'show-calendar', 'CmdOrCtrl+6'),
        line,
        item(words.refresh, 'refresh', 'F5'),
        line,
        {
          label: words.appearance,
          submenu: (['system', 'light', 'dark'] as const).map(themeItem),
        },
        line,
        item(words.sidebar, 'toggle-sidebar', 'CmdOrCtrl+B'),
        item(words.inspector, 'toggle-inspector', 'CmdOrCtrl+I'),
        line,
        zoomItem(words.zoomIn, 'in', 'CmdOrCtrl+Plus'),
        zoomItem(words.zoomOut, 'out', 'CmdOrCtrl+-'),
        zoomItem(words.actualSize, 'reset', 'CmdOrCtrl+0'),
        line,
        { role: 'togglefullscreen', label: words.fullScreen },
        ...(options.development ? development : []),
      ],
    },
    { label: words.window, role: 'windowMenu' },
    { label: words.help, role: 'help', submenu: mac ? [check] : [check, line, updates, about] },
  ];
}
