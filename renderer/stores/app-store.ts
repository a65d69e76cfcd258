import { create } from 'zustand';
import type { AppErrorData } from '../../shared/contract/app-error.ts';
import type { CallOutput, EventData } from '../../shared/contract/contract.ts';
import type { Site } from '../../shared/contract/sites.ts';
import { call } from '../bridge/bridge.ts';
import { toErrorData } from '../text/errors.ts';
import { type Preferences, preferences, savePreferences } from './preferences.ts';

export type View = 'library' | 'uploads';
export type Panel = 'palette' | 'shortcuts' | 'about' | 'new-collection' | 'sign-in' | null;
export type Theme = Preferences['theme'];

interface AppState {
  start: 'loading' | 'ready' | { error: AppErrorData };
  info: CallOutput<'app.info'> | null;
  sites: Site[];
  siteId: string | null;
  signIn: EventData<'onDidChangeSignIn'>;
  view: View;
  panel: Panel;
  theme: Theme;
  dismissed: ReadonlySet<string>;
}

/** The whole app: which library, which view, what is open above it. */
export const useApp = create<AppState>(() => ({
  start: 'loading',
  info: null,
  sites: [],
  siteId: null,
  signIn: { phase: null, openUrl: null },
  view: 'library',
  panel: null,
  theme: preferences().theme,
  dismissed: new Set(),
}));

/** Sites that have something to show: those signed in, and those whose authorization was lost. */
export function openSites(sites: readonly Site[]): Site[] {
  return sites.filter((site) => site.state !== 'signed-out');
}

export async function startApp(): Promise<void> {
  recallTheme();
  useApp.setState({ start: 'loading' });
  try {
    const [info, sites] = await Promise.all([call('app.info', null), call('sites.list', null)]);
    useApp.setState({ info, start: 'ready' });
    takeSites(sites);
  } catch (thrown) {
    useApp.setState({ start: { error: toErrorData(thrown) } });
  }
}

/** Takes the list of sites; keeps the chosen one while it is open. */
export function takeSites(sites: Site[]): void {
  const open = openSites(sites);
  const { siteId } = useApp.getState();
  const kept = open.find((site) => site.id === siteId) ?? open[0];
  useApp.setState({ sites, siteId: kept?.id ?? null });
}

export function currentSite(state: AppState): Site | null {
  return state.sites.find((site) => site.id === state.siteId) ?? null;
}

export function showView(view: View): void {
  useApp.setState({ view });
}

export function openPanel(panel: Panel): void {
  useApp.setState({ panel });
}

export function dismissNotice(key: string): void {
  useApp.setState((state) => ({ dismissed: new Set(state.dismissed).add(key) }));
}

export async function signOut(siteId: string): Promise<void> {
  await call('sites.signOut', { siteId });
  takeSites(await call('sites.list', null));
}

export function setTheme(theme: Theme): void {
  useApp.setState({ theme });
  savePreferences({ theme });
  applyTheme(theme);
}

const darkQuery = matchMedia('(prefers-color-scheme: dark)');

/** True unless the shell (whose menu sets the theme too) shows the opposite of what was chosen here. */
function agrees(theme: Theme): boolean {
  return theme === 'system' || (theme === 'dark') === darkQuery.matches;
}

/** At the start the shell has its own memory of the theme, which counts. */
function recallTheme(): void {
  const { theme } = useApp.getState();
  if (agrees(theme)) paintTheme(theme);
  else useApp.setState({ theme: 'system' });
}

/** Follows a change made elsewhere. The function returned ends it. */
export function followTheme(): () => void {
  const onChange = () => {
    const { theme } = useApp.getState();
    if (agrees(theme)) return;
    const shown = darkQuery.matches ? 'dark' : 'light';
    useApp.setState({ theme: shown });
    savePreferences({ theme: shown });
    paintTheme(shown);
  };
  darkQuery.addEventListener('change', onChange);
  return () => darkQuery.removeEventListener('change', onChange);
}

function paintTheme(theme: Theme): void {
  const { dataset } = document.documentElement;
  if (theme === 'system') delete dataset.theme;
  else dataset.theme = theme;
}

function applyTheme(theme: Theme): void {
  paintTheme(theme);
  // The shell colours the window's own frame and remembers; a refusal changes nothing on this screen.
  void call('shell.setTheme', { theme }).catch((thrown: unknown) => console.warn('Theme of the window frame', thrown));
}
