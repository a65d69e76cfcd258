import { z } from 'zod';
import { appErrorSchema } from './app-error.ts';
import { askSchema, desktopPreferencesPatchSchema, desktopSchema } from './desktop.ts';

export const themeSchema = z.enum(['system', 'light', 'dark']);

const nothing = z.null();

const spellingSchema = z.object({
  /** The operating system checks spelling; Mediadesk can't turn it off or choose its language. */
  isOfSystem: z.boolean(),
  isOn: z.boolean(),
  language: z.string().nullable(),
  /** The languages that can be chosen. */
  available: z.array(z.string()),
});

/** The calls that the shell answers, besides those about dialogs. */
export const SHELL_CALLS = {
  /**
   * Drags the file of a complete download out of the window: call when a drag begins. Throws `file.missing`.
   */
  'shell.dragDownload': { input: z.object({ id: z.string() }), output: nothing },
  'shell.showInFolder': { input: z.object({ path: z.string() }), output: nothing },
  /** Opens an https address (http on loopback) in the browser; rejects any other. */
  'shell.openExternal': { input: z.object({ url: z.string() }), output: nothing },
  /** Shows a PDF of the library in a separate window. `title`: of the window. Call `files.check` first for its errors. */
  'shell.showDocument': {
    input: z.object({ siteId: z.string(), mediaId: z.string(), fileId: z.string(), title: z.string().max(1000) }),
    output: nothing,
  },
  'shell.setTheme': { input: z.object({ theme: themeSchema }), output: nothing },
  /** Whether text fields check spelling. */
  'shell.spelling': { input: nothing, output: spellingSchema },
  /** On Windows and Linux, a language downloads its dictionary from Google's servers the first time. */
  'shell.setSpelling': {
    input: z.object({ isOn: z.boolean(), language: z.string().max(20).nullable() }),
    output: spellingSchema,
  },
  /** The runtimes of the app. `notices`: the licenses of the software that is part of it; null: this build has no such file. */
  'shell.about': {
    input: nothing,
    output: z.object({ electron: z.string(), node: z.string(), notices: z.string().nullable() }),
  },
  /** How Mediadesk behaves on this desktop, and what this desktop can do. */
  'shell.desktop': { input: nothing, output: desktopSchema },
  'shell.setDesktop': { input: z.object({ patch: desktopPreferencesPatchSchema }), output: desktopSchema },
  /** Registers Mediadesk with the system to start hidden at login. Throws `desktop.login-not-registered`. */
  'shell.setStartAtLogin': { input: z.object({ isOn: z.boolean() }), output: desktopSchema },
  /** Makes the entry in the menu, or removes it. Throws `desktop.entry-not-registered`. */
  'shell.setMenuEntry': { input: z.object({ isOn: z.boolean() }), output: desktopSchema },
  /** Reports about faults and crashes that the user has not dismissed, the newest first; `details.path` names the file. */
  'shell.faults': { input: nothing, output: z.array(appErrorSchema) },
  'shell.dismissFaults': { input: nothing, output: nothing },
  /** Returns what reached Mediadesk from outside since the last call; `onDidAsk` reports that there is something. */
  'shell.takeAsks': { input: nothing, output: z.array(askSchema) },
  /** Enlarges or reduces everything in every window. The shell stores the factor. */
  'shell.zoom': { input: z.object({ change: z.enum(['in', 'out', 'reset']) }), output: nothing },
} as const;
