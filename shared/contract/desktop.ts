import { z } from 'zod';
import { CLOSE_ACTIONS } from '../model/close-actions.ts';

/** How this desktop is used. The shell stores it in the profile; the command line does not use it. */
export const desktopPreferencesSchema = z.object({
  whenClosed: z.enum(CLOSE_ACTIONS),
  /** Asks before quitting while transfers are not finished. */
  askBeforeQuit: z.boolean(),
  /** Notifications of the system, by kind. */
  notifyEnded: z.boolean(),
  notifyAttention: z.boolean(),
  /** Notifications name collections; others see them on a locked screen. */
  notifyNames: z.boolean(),
  /** Keeps the computer awake while bytes are sent or received. */
  keepAwake: z.boolean(),
});
export type DesktopPreferences = z.output<typeof desktopPreferencesSchema>;

/** The preferences of a fresh profile. */
export const FRESH_DESKTOP_PREFERENCES: DesktopPreferences = {
  whenClosed: 'ask',
  askBeforeQuit: true,
  notifyEnded: true,
  notifyAttention: true,
  notifyNames: true,
  keepAwake: true,
};

export const desktopPreferencesPatchSchema = desktopPreferencesSchema.partial();
export type DesktopPreferencesPatch = z.output<typeof desktopPreferencesPatchSchema>;

/**
 * Where Mediadesk is while it works without a window: an icon in the tray or in the menu bar, or a minimized window where the
 * desktop shows no tray.
 */
const BACKGROUND_PLACES = ['tray', 'menu-bar', 'minimized'] as const;
export type BackgroundPlace = (typeof BACKGROUND_PLACES)[number];

export const desktopSchema = z.object({
  preferences: desktopPreferencesSchema,
  background: z.enum(BACKGROUND_PLACES),
  /** Whether this desktop shows notifications. */
  canNotify: z.boolean(),
  /** Whether this desktop lets a program keep it awake; null: not known until something is sent. */
  canKeepAwake: z.boolean().nullable(),
  /** What the system has registered; read back each time. */
  login: z.object({
    isOn: z.boolean(),
    /** The file that registers it, on Linux; null elsewhere. */
    file: z.string().nullable(),
  }),
  /** The entry in the menu, which also opens links to Mediadesk; null: the package made it. */
  entry: z.object({ isOn: z.boolean(), file: z.string() }).nullable(),
});
export type Desktop = z.output<typeof desktopSchema>;

/** A place in the window that a notification or an icon leads to. */
const shownPlaceSchema = z.object({
  view: z.enum(['uploads', 'watched', 'edits', 'accounts']),
  /** The batch to show; null: the whole view. */
  batchId: z.string().nullable(),
  /** The uploads to show. */
  tab: z.enum(['all', 'needs-decision', 'failed']),
});
export type ShownPlace = z.output<typeof shownPlaceSchema>;

/** What reached Mediadesk from outside of its window, for the window to handle. */
export const askSchema = z.discriminatedUnion('kind', [
  z.object({ kind: z.literal('show'), place: shownPlaceSchema }),
  /** Files and folders that were opened with Mediadesk: offered in the sheet for uploads, never added by themselves. */
  z.object({ kind: z.literal('add'), paths: z.array(z.string()).min(1).max(10_000) }),
  /** A link to an item or a collection of a library. */
  z.object({
    kind: z.literal('open'),
    /** The origin of the library. */
    baseUrl: z.string(),
    target: z.enum(['item', 'collection']),
    id: z.string(),
  }),
  /** A link to Mediadesk that names no place of a library. */
  z.object({ kind: z.literal('bad-link') }),
]);
export type Ask = z.output<typeof askSchema>;
