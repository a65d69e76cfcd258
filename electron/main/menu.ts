import type { MenuItemConstructorOptions } from 'electron';
import type { EventData } from '../../shared/contract/contract.ts';
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
}

/** Returns the application menu as a plain value. The keyboard reaches every command. */
export function menuTemplate(options: MenuOptions): MenuItemConstructorOptions[] {
  const { send, setTheme, theme, zoom } = options;
  const mac = options.platform === 'darwin';
  const item = (label: string, command: MenuCommand, accelerator?: string): MenuItemConstructorOptions => ({
    id: command,
    label,
    ...(accelerator ? { accelerator } : {}),
    click: () => send(command),
  });
  const themeItem = (label: string, value: WindowState['theme']): MenuItemConstructorOptions => ({
    id: `theme-${value}`,
    label,
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
  const about = item('About Mediadesk', 'about');
  const settings = item('Settings…', 'show-settings', 'CmdOrCtrl+,');
  const check = item('Check My Uploads', 'check-uploads');

  const macMenu: MenuItemConstructorOptions[] = [
    {
      label: 'Mediadesk',
      submenu: [
        about,
        line,
        settings,
        line,
        { role: 'services' },
        line,
        { role: 'hide' },
        { role: 'hideOthers' },
        line,
        { role: 'quit' },
      ],
    },
  ];
  const development: MenuItemConstructorOptions[] = [line, { role: 'reload' }, { role: 'toggleDevTools' }];
  return [
    ...(mac ? macMenu : []),
    {
      label: '&File',
      submenu: [
        item('Add Files…', 'add-files', 'CmdOrCtrl+O'),
        item('Add Folder…', 'add-folder', 'CmdOrCtrl+Shift+O'),
        line,
        ...(mac ? [] : [settings, line]),
        item('Sign Out', 'sign-out'),
        ...(mac ? [] : [line, { role: 'quit' } as const]),
      ],
    },
    {
      label: '&Edit',
      submenu: [
        { role: 'undo' },
        { role: 'redo' },
        line,
        { role: 'cut' },
        { role: 'copy' },
        { role: 'paste' },
        { role: 'delete' },
        { role: 'selectAll' },
        line,
        item('Find…', 'search', 'CmdOrCtrl+F'),
      ],
    },
    {
      label: '&View',
      submenu: [
        item('Library', 'show-library', 'CmdOrCtrl+1'),
        item('Uploads', 'show-uploads', 'CmdOrCtrl+2'),
        item('Receipts', 'show-receipts', 'CmdOrCtrl+3'),
        line,
        item('Refresh', 'refresh', 'F5'),
        line,
        {
          label: 'Appearance',
          submenu: [themeItem('Like the System', 'system'), themeItem('Light', 'light'), themeItem('Dark', 'dark')],
        },
        line,
        item('Sidebar', 'toggle-sidebar', 'CmdOrCtrl+B'),
        item('Inspector', 'toggle-inspector', 'CmdOrCtrl+I'),
        line,
        zoomItem('Zoom In', 'in', 'CmdOrCtrl+Plus'),
        zoomItem('Zoom Out', 'out', 'CmdOrCtrl+-'),
        zoomItem('Actual Size', 'reset', 'CmdOrCtrl+0'),
        line,
        { role: 'togglefullscreen' },
        ...(options.development ? development : []),
      ],
    },
    { label: '&Window', role: 'windowMenu' },
    { label: '&Help', role: 'help', submenu: mac ? [check] : [check, line, about] },
  ];
}
