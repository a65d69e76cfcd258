import { existsSync } from 'node:fs';
import { join } from 'node:path';
import { BrowserWindow, Menu, nativeTheme, screen, session } from 'electron';
import { APP_START_URL } from './asset-lookup.ts';
import { whenPainted } from './first-frame.ts';
import { applySpelling, fieldMenu } from './spelling.ts';
import { writeStored } from './stored-json.ts';
import { texts } from './texts.ts';
import { isReachable, MINIMUM_SIZE, placeWindow, storedWindowState, type WindowState } from './window-state.ts';

/** The background colors of the screens, painted before the page to avoid a white flash. */
const BACKGROUND = { light: '#ffffff', dark: '#1a1b1e' };
const saveAfterMs = 400;

/** All settings that isolate a page, including Electron's defaults. */
export const LOCKED_WEB_PREFERENCES = {
  sandbox: true,
  contextIsolation: true,
  nodeIntegration: false,
  nodeIntegrationInWorker: false,
  nodeIntegrationInSubFrames: false,
  webSecurity: true,
  allowRunningInsecureContent: false,
  webviewTag: false,
  navigateOnDragDrop: false,
  plugins: false,
  safeDialogs: true,
  spellcheck: false,
} as const;

export interface MainWindowOptions {
  state: WindowState;
  stateFile: string;
  /** The window begins in the taskbar, without taking the focus. */
  isMinimized: boolean;
  preload: string;
  iconFile: string;
  /** The first frame was not reported in time: the window is shown without it. */
  onFrameMissing(): void;
  onSaveFailed(error: unknown): void;
  /** The page crashed; `reload` loads it again. */
  onPageGone(reason: string, reload: () => void): void;
  /** The page does not answer. `end` ends it, like a crash. Returns the function that is called when the page answers again. */
  onPageHangs(end: () => void): () => void;
}

export interface MainWindow {
  window: BrowserWindow;
  /** Resolves when the window is shown, or was closed before that. */
  shown: Promise<void>;
  setTheme(theme: WindowState['theme']): void;
  spelling(): WindowState['spelling'];
  setSpelling(spelling: WindowState['spelling']): void;
  /** Stores the zoom factor. */
  saveZoom(zoom: number): void;
}

/** Opens the only main window. It is shown as soon as its first frame is painted. */
export function openMainWindow(options: MainWindowOptions): MainWindow {
  let state = options.state;
  nativeTheme.themeSource = state.theme;
  applySpelling(session.defaultSession, state.spelling);
  const window = new BrowserWindow({
    ...placeWindow(state.bounds, workAreas()),
    minWidth: MINIMUM_SIZE.width,
    minHeight: MINIMUM_SIZE.height,
    show: false,
    title: texts.dialogs.title,
    backgroundColor: nativeTheme.shouldUseDarkColors ? BACKGROUND.dark : BACKGROUND.light,
    ...(existsSync(options.iconFile) ? { icon: options.iconFile } : {}),
    webPreferences: {
      ...LOCKED_WEB_PREFERENCES,
      // The session decides whether spelling is checked, see `applySpelling`.
      spellcheck: true,
      preload: options.preload,
      zoomFactor: state.zoom,
      v8CacheOptions: 'bypassHeatCheck',
    },
  });
  if (state.maximized) window.maximize();
  whenPainted(window, (isPainted) => {
    if (!isPainted) options.onFrameMissing();
    if (!options.isMinimized) return window.show();
    window.showInactive();
    window.minimize();
  });
  const shown = new Promise<void>((resolve) => {
    window.once('show', () => resolve());
    window.once('closed', () => resolve());
  });

  const save = () => {
    try {
      writeStored(storedWindowState(options.stateFile), state);
    } catch (error) {
      options.onSaveFailed(error);
    }
  };
  let timer: NodeJS.Timeout | undefined;
  const remember = () => {
    if (window.isDestroyed()) return;
    state = { ...state, bounds: window.getNormalBounds(), maximized: window.isMaximized() };
    clearTimeout(timer);
    timer = setTimeout(save, saveAfterMs);
  };
  window.on('resize', remember);
  window.on('move', remember);
  window.on('maximize', remember);
  window.on('unmaximize', remember);
  window.on('close', () => {
    remember();
    clearTimeout(timer);
    save();
  });
  const repaint = () => {
    window.setBackgroundColor(nativeTheme.shouldUseDarkColors ? BACKGROUND.dark : BACKGROUND.light);
  };
  nativeTheme.on('updated', repaint);
  window.once('closed', () => nativeTheme.off('updated', repaint));
  keepReachable(window);

  window.webContents.on('context-menu', (_event, facts) => {
    const template = fieldMenu(facts, {
      replace: (word) => window.webContents.replaceMisspelling(word),
      learn: (word) => void window.webContents.session.addWordToSpellCheckerDictionary(word),
    });
    if (template.length > 0) Menu.buildFromTemplate(template).popup({ window });
  });

  window.webContents.on('render-process-gone', (_event, { reason }) => {
    if (!window.isDestroyed()) options.onPageGone(reason, () => void window.loadURL(APP_START_URL));
  });
  let cancelQuestion: (() => void) | null = null;
  window.webContents.on('unresponsive', () => {
    cancelQuestion ??= options.onPageHangs(() => window.webContents.forcefullyCrashRenderer());
  });
  window.webContents.on('responsive', () => {
    cancelQuestion?.();
    cancelQuestion = null;
  });

  void window.loadURL(APP_START_URL);
  return {
    window,
    shown,
    setTheme(theme) {
      nativeTheme.themeSource = theme;
      state = { ...state, theme };
      save();
    },
    spelling: () => state.spelling,
    setSpelling(spelling) {
      state = { ...state, spelling };
      save();
      applySpelling(session.defaultSession, spelling);
    },
    saveZoom(zoom) {
      state = { ...state, zoom };
      save();
    },
  };
}

const workAreas = () => screen.getAllDisplays().map((display) => display.workArea);

/** Brings a window back whose title bar is on no screen any more: a screen was disconnected or replaced, or has other measures. */
function keepReachable(window: BrowserWindow): void {
  const check = () => {
    // Systems place maximized windows themselves; a minimized one is looked at when it is restored.
    if (window.isDestroyed() || window.isMinimized() || window.isMaximized() || window.isFullScreen()) return;
    const bounds = window.getBounds();
    const areas = workAreas();
    if (areas.length === 0 || isReachable(bounds, areas)) return;
    const { width, height } = placeWindow(bounds, areas);
    window.setSize(width, height);
    window.center();
  };
  screen.on('display-added', check);
  screen.on('display-removed', check);
  screen.on('display-metrics-changed', check);
  window.on('show', check);
  window.on('restore', check);
  window.once('closed', () => {
    screen.off('display-added', check);
    screen.off('display-removed', check);
    screen.off('display-metrics-changed', check);
  });
}

/** Brings the window to the front; restores it when it is minimized or hidden. */
export function reveal(window: BrowserWindow): void {
  if (window.isMinimized()) window.restore();
  window.show();
  window.focus();
}

/** Files that the shell needs, relative to the running bundle (`out/main`). */
export function shellFiles(bundleDir: string): Record<'preload' | 'screens' | 'icon' | 'smallIcon', string> {
  return {
    preload: join(bundleDir, '..', 'preload', 'preload.cjs'),
    screens: join(bundleDir, '..', 'renderer'),
    icon: join(bundleDir, '..', '..', 'build', 'icons', '256x256.png'),
    smallIcon: join(bundleDir, '..', '..', 'build', 'icons', '64x64.png'),
  };
}
