import { z } from 'zod';
import { themeSchema } from './shell-calls.ts';
import { updatesSchema } from './updates.ts';

/** The events of the shell. */
export const SHELL_EVENTS = {
  /**
   * The theme was chosen in the application menu or in the settings; every control that shows it follows this event.
   */
  onDidChangeTheme: z.object({ theme: themeSchema }),
  /** A fault of the app was reported: `shell.faults`. */
  onDidReportFault: z.null(),
  /** Something reached Mediadesk from outside of its window: `shell.takeAsks`. */
  onDidAsk: z.null(),
  /** Updates of the app; at most five times a second. */
  onDidChangeUpdates: updatesSchema,
  onDidMenuCommand: z.object({
    command: z.enum([
      'add-files',
      'add-folder',
      'watch-folder',
      'import-spreadsheet',
      'export-list',
      'item-add-files',
      'item-captions',
      'item-thumbnail',
      'item-web',
      'sign-out',
      'refresh',
      'search',
      'show-library',
      'show-calendar',
      'show-uploads',
      'show-watched',
      'show-edits',
      'show-receipts',
      'show-settings',
      'check-uploads',
      'toggle-sidebar',
      'toggle-inspector',
      'check-for-updates',
      'about',
    ]),
  }),
} as const;
