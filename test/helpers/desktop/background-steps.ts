// What a user does to a window in the background, and what the desktop shows of it.
import { writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import type { Page } from 'playwright';
import { ask } from '../../../build/demo/window-steps.ts';
import type { CallOutput } from '../../../shared/contract/contract.ts';
import type { SignedInApp } from './signed-in-app.ts';

interface Question {
  message: string;
  detail: string;
  buttons: string[];
}

/** The next native questions are answered with the button of this name; returns what they said. */
export async function answerQuestions({ desktop }: SignedInApp, button: string, isRemembered = false): Promise<void> {
  await desktop.app.evaluate(
    ({ dialog }, answer) => {
      const asked: unknown[] = [];
      Object.assign(globalThis, { __asked: asked });
      const show = async (...args: unknown[]) => {
        const box = args.at(-1) as { buttons: string[] };
        asked.push(box);
        return { response: box.buttons.indexOf(answer.button), checkboxChecked: answer.isRemembered };
      };
      Object.assign(dialog, { showMessageBox: show });
    },
    { button, isRemembered },
  );
}

export const questions = ({ desktop }: SignedInApp) =>
  desktop.app.evaluate(() => (globalThis as unknown as { __asked: Question[] }).__asked);

/** Closes the window as the button in its frame does. */
export const closeWindow = ({ desktop }: SignedInApp) =>
  desktop.app.evaluate(({ BrowserWindow }) => BrowserWindow.getAllWindows()[0]?.close());

export const windowState = ({ desktop }: SignedInApp) =>
  desktop.app.evaluate(({ BrowserWindow }) => {
    const [window] = BrowserWindow.getAllWindows();
    return window === undefined
      ? null
      : { isVisible: window.isVisible(), isMinimized: window.isMinimized(), isFocused: window.isFocused() };
  });

/** Takes the focus from the window, as another window would: Xvfb has no window manager. */
export const leaveWindow = ({ desktop }: SignedInApp) =>
  desktop.app.evaluate(({ BrowserWindow }) => {
    const [window] = BrowserWindow.getAllWindows();
    if (window !== undefined) window.isFocused = () => false;
  });

export const totals = (page: Page) => ask<CallOutput<'uploads.totals'>>(page, 'uploads.totals', null);

/** Adds files of this size to the first collection. */
export async function add({ desktop: { window }, folder }: SignedInApp, count: number, bytes: number): Promise<void> {
  const paths = Array.from({ length: count }, (_, index) => join(folder, `lecture-${index + 1}.txt`));
  for (const path of paths) await writeFile(path, `${path}\n`.padEnd(bytes, '.'));
  const [site] = await ask<CallOutput<'sites.list'>>(window, 'sites.list', null);
  const siteId = site?.id ?? '';
  const [root] = await ask<CallOutput<'library.collections'>>(window, 'library.collections', {
    siteId,
    parentId: null,
  });
  const children = await ask<CallOutput<'library.collections'>>(window, 'library.collections', {
    siteId,
    parentId: root?.id ?? null,
  });
  await ask(window, 'uploads.add', { siteId, collectionId: children[0]?.id ?? root?.id, paths });
}

export const limitSpeed = ({ desktop: { window } }: SignedInApp, limitBytesPerSecond: number | null) =>
  ask(window, 'settings.set', { patch: { limitBytesPerSecond } });

/**
 * Waits until the engine reported that bytes are being sent, to the shell and to the page: it reports its work a moment after it
 * began, and until then closing the window quits. A call would know of it before the shell does.
 */
export const whenSending = ({ page }: SignedInApp) =>
  page.evaluate(
    () =>
      new Promise<void>((resolve) => {
        const { mediadesk } = window as unknown as {
          mediadesk: { on(name: string, listener: (data: { totals: { sentBytes: number } }) => void): () => void };
        };
        const end = mediadesk.on('onDidChangeUploads', (changed) => {
          if (changed.totals.sentBytes === 0) return;
          end();
          resolve();
        });
      }),
  );

/** Returns whether the app has ended. Call it before the app ends, and the result afterwards: Playwright forgets an ended app. */
export const endOf = ({ desktop }: SignedInApp) => {
  const child = desktop.app.process();
  return () => child.exitCode !== null || child.signalCode !== null;
};
