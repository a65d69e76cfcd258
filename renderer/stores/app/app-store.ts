import { create } from 'zustand';
import type { AppErrorData } from '../../../shared/contract/app-error.ts';
import type { CallOutput, EventData, Theme } from '../../../shared/contract/contract.ts';
import type { Site } from '../../../shared/contract/sites.ts';
import { call } from '../../bridge/bridge.ts';
import { toErrorData } from '../../text/errors.ts';
import { attempt } from './messages-store.ts';

export type View = 'library' | 'uploads' | 'receipts' | 'settings';
export type SettingsSection = 'uploads' | 'check' | 'appearance' | 'accounts' | 'computer';
type Panel = 'palette' | 'shortcuts' | 'about' | 'new-collection' | 'sign-in' | 'another-account' | null;
/** The panels that need nothing but their name. */
type PlainPanel = Exclude<Panel, 'sign-in'>;

interface AppState {
  start: 'loading' | 'ready' | { error: AppErrorData };
  info: CallOutput<'app.info'> | null;
  sites: Site[];
  siteId: string | null;
  signIn: EventData<'onDidChangeSignIn'>;
  view: View;
  /** Which part of the settings is open, or was last. */
  section: SettingsSection;
  panel: Panel;
  /** The account that the sign-in panel is for. */
  signInTo: string | null;
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
  section: 'uploads',
  panel: null,
  signInTo: null,
  theme: 'system',
  dismissed: new Set(),
}));

/** Sites that have something to show: those signed in, and those whose authorization was lost. */
export function openSites(sites: readonly Site[]): Site[] {
  return sites.filter((site) => site.state !== 'signed-out');
}

export async function startApp(): Promise<void> {
  useApp.setState({ start: 'loading' });
  try {
    const [info, sites] = await Promise.all([call('app.info', null), call('sites.list', null)]);
    useApp.setState({ info, theme: info.theme, start: 'ready' });
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
  if (kept?.keptIn === 'memory') void learnWhy();
}

/** That a keychain does not work shows when it is first used, which can be after the start. */
async function learnWhy(): Promise<void> {
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

/** Lets the person sign in to an account that lost its authorization, or that was signed out. */
export function offerSignIn(siteId: string | null): void {
  useApp.setState({ panel: 'sign-in', signInTo: siteId });
}

/**
 * Makes an account the one whose library is shown. One that is signed out has nothing to show: the way in is offered
 * instead, and what is shown stays. Answers whether the account is shown.
 */
export function showAccount(siteId: string): boolean {
  const { sites, siteId: shown } = useApp.getState();
  if (!openSites(sites).some((site) => site.id === siteId)) {
    offerSignIn(siteId);
    return false;
  }
  if (shown !== siteId) useApp.setState({ siteId });
  return true;
}

export function showView(view: View): void {
  useApp.setState({ view });
}

/** Opens the settings where they were left, or at a section. */
export function showSettings(section?: SettingsSection): void {
  useApp.setState((state) => ({ view: 'settings', section: section ?? state.section }));
}

export function openPanel(panel: PlainPanel): void {
  useApp.setState({ panel });
}

export function dismissNotice(key: string): void {
  useApp.setState((state) => ({ dismissed: new Set(state.dismissed).add(key) }));
}

/** The shell colours the window and remembers; what is shown as chosen follows what it announces. */
export function setTheme(theme: Theme): Promise<void> {
  return attempt(async () => void (await call('shell.setTheme', { theme })));
}
