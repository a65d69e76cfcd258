import { app, type BrowserWindow, dialog, type Event } from 'electron';
import type { BackgroundPlace } from '../../../shared/contract/desktop.ts';
import type { UploadRow } from '../../../shared/contract/uploads.ts';
import { texts } from '../texts.ts';
import { type Activity, isTransferring } from './activity.ts';
import { asksBeforeQuit, backgroundEffect, closeEffect } from './closing.ts';
import type { DesktopPreferenceStore } from './desktop-preferences.ts';
import { workWords } from './status-line.ts';

export interface LeavingOptions {
  platform: NodeJS.Platform;
  window(): BrowserWindow | null;
  preferences: DesktopPreferenceStore;
  activity(): Activity;
  place(): BackgroundPlace;
  /** The uploads whose bytes are being sent, at most `limit`, and the number of all of them. */
  sending(limit: number): Promise<{ rows: readonly Pick<UploadRow, 'fileName'>[]; total: number }>;
  onDidChange(): void;
  onFailed(error: unknown): void;
}

/** The two ways to leave: closing the window, and quitting. Owns whether the user agreed to quit. */
export interface Leaving {
  /** The listener for the `close` event of the main window. */
  onClose(event: Event): void;
  /** Returns whether the program may quit now; otherwise it asks the user, and quits when the user agrees. */
  mayQuit(): boolean;
  /** Quits without a question: the system ends the session, or a signal arrived. */
  quitNow(): void;
  /** From now on, nothing asks or keeps the window any more. */
  consent(): void;
  /** Sends the window to the background, as the preferences say when it is closed. */
  toBackground(): void;
  quitsWhenFinished(): boolean;
  setQuitWhenFinished(isOn: boolean): void;
  noteActivity(activity: Activity): void;
}

/** The number of files that the question about quitting names. */
const MOST_NAMES = 5;

/** Creates the guard of both ways. */
export function createLeaving(options: LeavingOptions): Leaving {
  const { platform, window, preferences, activity, place } = options;
  let hasConsent = false;
  let isAsking = false;
  let quitsWhenFinished = false;

  const consent = () => {
    hasConsent = true;
  };
  const quitNow = () => {
    consent();
    app.quit();
  };
  const setQuitWhenFinished = (isOn: boolean) => {
    quitsWhenFinished = isOn;
    options.onDidChange();
    if (isOn && !isTransferring(activity())) quitNow();
  };
  const toBackground = () => {
    const shown = window();
    if (shown === null || shown.isDestroyed()) return;
    if (backgroundEffect(place()) === 'hide') shown.hide();
    else shown.minimize();
  };
  /** Shows one question at a time. */
  const ask = async (question: () => Promise<void>) => {
    if (isAsking) return;
    isAsking = true;
    try {
      await question();
    } catch (error) {
      options.onFailed(error);
    } finally {
      isAsking = false;
    }
  };
  const showBox = (box: Electron.MessageBoxOptions) => {
    const parent = window();
    // A question that belongs to a hidden window would be hidden, too.
    return parent?.isVisible() ? dialog.showMessageBox(parent, box) : dialog.showMessageBox(box);
  };
  const remember = (patch: Parameters<DesktopPreferenceStore['set']>[0]) => {
    try {
      preferences.set(patch);
    } catch (error) {
      options.onFailed(error);
    }
  };

  async function askWhenClosing(): Promise<void> {
    const words = texts.closing;
    const { response, checkboxChecked } = await showBox({
      type: 'question',
      title: texts.dialogs.title,
      message: words.message,
      detail: `${words.continues(workWords(activity()))}\n\n${words.places[place()]}`,
      buttons: [words.background, words.quit, words.cancel],
      defaultId: 0,
      cancelId: 2,
      checkboxLabel: words.remember,
    });
    if (response === 2) return;
    if (checkboxChecked) remember({ whenClosed: response === 0 ? 'background' : 'quit' });
    if (response === 0) toBackground();
    else quitNow();
  }

  async function askWhenQuitting(): Promise<void> {
    const words = texts.quitting;
    const { rows, total } = await options.sending(MOST_NAMES);
    const fromZero =
      total === 0
        ? []
        : [
            words.fromZero(
              rows.map(({ fileName }) => fileName),
              total - rows.length,
            ),
          ];
    const now = activity();
    const { response, checkboxChecked } = await showBox({
      type: 'question',
      title: texts.dialogs.title,
      message: words.message(workWords({ ...now, edits: 0, folders: 0 }), now.uploads + now.downloads),
      detail: [words.continues, ...fromZero].join('\n\n'),
      buttons: [words.stay, words.whenFinished, words.now],
      defaultId: 0,
      cancelId: 0,
      checkboxLabel: texts.closing.remember,
    });
    if (response === 0) return;
    if (checkboxChecked && response === 2) remember({ askBeforeQuit: false });
    if (response === 2) return quitNow();
    setQuitWhenFinished(true);
    toBackground();
  }

  return {
    onClose(event) {
      if (hasConsent) return;
      const effect = closeEffect({ platform, preferences: preferences.get(), activity: activity(), place: place() });
      if (effect === 'close') return;
      if (effect === 'quit') return consent();
      event.preventDefault();
      if (effect === 'ask') void ask(askWhenClosing);
      else toBackground();
    },
    mayQuit() {
      if (hasConsent || !asksBeforeQuit(preferences.get(), activity())) return true;
      void ask(askWhenQuitting);
      return false;
    },
    quitNow,
    consent,
    toBackground,
    quitsWhenFinished: () => quitsWhenFinished,
    setQuitWhenFinished,
    noteActivity(now) {
      if (quitsWhenFinished && !isTransferring(now)) quitNow();
    },
  };
}
