import { create } from 'zustand';
import type { AppErrorData } from '../../../../shared/contract/app-error.ts';
import type { CallOutput, EventData, Theme } from '../../../../shared/contract/contract.ts';
import type { Site } from '../../../../shared/contract/sites.ts';
import { latestOnly } from '../../../kit/async/latest-only.ts';
import { call } from '../../../kit/bridge/bridge.ts';
import { toErrorData } from '../../../kit/text/errors.ts';
import { setHourCycle } from '../../../kit/text/format.ts';
import { attempt } from './messages-store.ts';
import { preferences, savePreferences } from './preferences.ts';

export type View = 'library' | 'calendar' | 'edits' | 'uploads' | 'watched' | 'receipts' | 'settings' | 'admin';
export type SettingsSection =
  | 'uploads'
  | 'desktop'
  | 'check'
  | 'appearance'
  | 'accounts'
  | 'network'
  | 'updates'
  | 'computer';
type Panel =
  | 'palette'
  | 'shortcuts'
  | 'about'
  | 'new-collection'
  | 'sign-in'
  | 'another-account'
  | 'network'
  | 'updates'
  | null;
/** The panels that have no parameters. */
type PlainPanel = Exclude<Panel, 'sign-in'>;

interface AppState {
  start: 'loading' | 'ready' | { error: AppErrorData };
  info: CallOutput<'app.info'> | null;
  /** null until it was asked for. */
  about: CallOutput<'shell.about'> | null;
  sites: Site[];
  siteId: string | null;
  signIn: EventData<'onDidChangeSignIn'>;
  view: View;
  /** The section of the settings that is open, or was open last. */
  section: SettingsSection;
  panel: Panel;
  /** The account to which the sign-in panel belongs. */
  signInTo: string | null;
  theme: Theme;
  /** Reports about faults of the app itself, which the user has not dismissed. */
  faults: readonly AppErrorData[];
  dismissed: ReadonlySet<string>;
}

/** The state of the window: accounts, the shown library, the view and the panel above it. */
export const useApp = create<AppState>(() => ({
  start: 'loading',
  info: null,
  about: null,
  sites: [],
  siteId: null,
  signIn: { phase: null, openUrl: null },
  view: 'library',
  section: 'uploads',
  panel: null,
  signInTo: null,
  theme: 'system',
  faults: [],
  dismissed: new Set(),
}));

const siteReads = latestOnly();

/** Returns the sites with a library to show: those signed in, and those whose sign-in the library no longer accepts. */
export function openSites(sites: readonly Site[]): Site[] {
  return sites.filter((site) => site.state !== 'signed-out');
}

/** Loads app info and sites; the window is empty until then. */
export async function startApp(): Promise<void> {
  useApp.setState({ start: 'loading' });
  try {
    const read = siteReads.begin();
    const [info, sites] = await Promise.all([call('app.info', null), call('sites.list', null)]);
    setHourCycle(info.hourCycle);
    useApp.setState({ info, theme: info.theme, start: 'ready' });
    if (read.accept()) storeSites(sites);
  } catch (thrown) {
    useApp.setState({ start: { error: toErrorData(thrown) } });
  }
}

export async function loadSites(): Promise<void> {
  const read = siteReads.begin();
  const sites = await call('sites.list', null);
  if (read.accept()) storeSites(sites);
}

/** Stores the list of sites that the engine reports. */
export function takeSites(sites: Site[]): void {
  siteReads.cancel();
  storeSites(sites);
}

/** Stores the list of sites. The shown site stays unless it was signed out; at the start it is the site that was shown last. */
function storeSites(sites: Site[]): void {
  const open = openSites(sites);
  const { siteId } = useApp.getState();
  const wanted = siteId ?? preferences().siteId;
  const shown = open.find((site) => site.id === wanted) ?? open[0];
  useApp.setState({ sites, siteId: shown?.id ?? null });
  if (shown?.keptIn === 'memory') void loadKeychainProblem();
}

/** Loads the app info again: a keychain problem is detected at its first use, which can be after the start. */
async function loadKeychainProblem(): Promise<void> {
  const { info } = useApp.getState();
  if (info === null || info.keychain.problem !== null) return;
  await attempt(async () => useApp.setState({ info: await call('app.info', null) }));
}

export function currentSite(state: AppState): Site | null {
  return siteOf(state, state.siteId);
}

export function siteOf(state: AppState, siteId: string | null): Site | null {
  return state.sites.find((site) => site.id === siteId) ?? null;
}

/** Returns whether requests of an account reach its library, as far as this computer knows. */
export function isOnline({ state, reachable }: Site): boolean {
  return state !== 'needs-sign-in' && reachable;
}

/** Opens the sign-in for an account whose sign-in the library no longer accepts, or that was signed out. */
export function offerSignIn(siteId: string | null): void {
  useApp.setState({ panel: 'sign-in', signInTo: siteId });
}

/**
 * Shows the library of an account. For an account that is signed out, the sign-in opens instead and the shown library stays.
 * Returns whether the account is shown.
 */
export function showAccount(siteId: string): boolean {
  const { sites, siteId: shown } = useApp.getState();
  if (!openSites(sites).some((site) => site.id === siteId)) {
    offerSignIn(siteId);
    return false;
  }
  if (shown !== siteId) useApp.setState({ siteId });
  savePreferences({ siteId });
  return true;
}

export function showView(view: View): void {
  useApp.setState({ view });
}

/** Opens the settings at a section, or at the section that was open last. */
export function showSettings(section?: SettingsSection): void {
  useApp.setState((state) => ({ view: 'settings', section: section ?? state.section }));
}

export function openPanel(panel: PlainPanel): void {
  useApp.setState({ panel });
}

export function loadAbout(): Promise<void> {
  return attempt(async () => useApp.setState({ about: await call('shell.about', null) }));
}

/** Reads the reports of faults that the user has not dismissed. */
export function loadFaults(): Promise<void> {
  return attempt(async () => useApp.setState({ faults: await call('shell.faults', null) }));
}

/** The user has seen the reports. */
export function dismissFaults(): Promise<void> {
  return attempt(async () => {
    await call('shell.dismissFaults', null);
    useApp.setState({ faults: [] });
  });
}

export function dismissNotice(key: string): void {
  useApp.setState((state) => ({ dismissed: new Set(state.dismissed).add(key) }));
}

/** Sets the theme in the shell, which stores it. The state follows with the shell's event. */
export function setTheme(theme: Theme): Promise<void> {
  return attempt(async () => void (await call('shell.setTheme', { theme })));
}
