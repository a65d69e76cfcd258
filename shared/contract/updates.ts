import { z } from 'zod';
import { appErrorSchema } from './app-error.ts';

/**
 * Who installs a new version.
 * - `app`: Mediadesk itself
 * - `package-manager`: the package manager of the system; Mediadesk only says that there is one
 * - `nobody`: this build doesn't know where to look
 */
const INSTALLERS = ['app', 'package-manager', 'nobody'] as const;
export type UpdateInstaller = (typeof INSTALLERS)[number];

/**
 * - `unknown`: not checked since the start
 * - `current`: no newer version
 * - `available`: a newer version can be downloaded; with a package manager, installed
 * - `ready`: downloaded and verified; it is installed by a restart
 * - `refused`: what the server offers must not be installed, see `problem`
 * - `failed`: the check, the download or the installation failed, see `problem`
 */
const UPDATE_PHASES = [
  'unknown',
  'checking',
  'current',
  'available',
  'downloading',
  'ready',
  'installing',
  'refused',
  'failed',
] as const;
export type UpdatePhase = (typeof UPDATE_PHASES)[number];

/** How much work a restart would interrupt. */
const runningWorkSchema = z.object({
  uploads: z.number(),
  downloads: z.number(),
  edits: z.number(),
  /** Watched folders that are being compared with their files. */
  sweeps: z.number(),
});
export type RunningWork = z.output<typeof runningWorkSchema>;

/** Updates of the app. */
export const updatesSchema = z.object({
  /** The running version. */
  version: z.string(),
  installer: z.enum(INSTALLERS),
  /** Looks for updates once a day; the user can turn it off. */
  isAutomatic: z.boolean(),
  phase: z.enum(UPDATE_PHASES),
  /** When the server last gave an answer, in epoch ms. */
  checkedAt: z.number().nullable(),
  /** The newer version; null: none is known. */
  offer: z.object({ version: z.string(), notes: z.string(), sizeBytes: z.number().nullable() }).nullable(),
  /** The downloaded share, from 0 to 1. */
  progress: z.number().nullable(),
  problem: appErrorSchema.nullable(),
  /** A restart must wait while this is not all zero; null: not known yet. */
  running: runningWorkSchema.nullable(),
});
export type Updates = z.output<typeof updatesSchema>;

const nothing = z.null();

/** The calls about updates. */
export const UPDATE_CALLS = {
  'shell.updates': { input: nothing, output: updatesSchema },
  /** Asks the server now, whatever share of installations is offered the version. Failures are in `problem`. */
  'shell.checkForUpdates': { input: nothing, output: updatesSchema },
  /** Downloads the offered version. Returns when it is ready, or why it is not. */
  'shell.downloadUpdate': { input: nothing, output: updatesSchema },
  /** Ends Mediadesk, installs the version that is ready, and starts it. Throws `update.busy`. */
  'shell.installUpdate': { input: nothing, output: nothing },
  'shell.setUpdates': { input: z.object({ isAutomatic: z.boolean() }), output: updatesSchema },
} as const;
