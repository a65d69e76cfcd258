import { z } from 'zod';
import { UPLOAD_STATES } from '../model/uploads/upload-states.ts';
import { WATCHED_STATES } from '../model/watch/watched-states.ts';
import { appErrorSchema } from './app-error.ts';
import { watchRulesSchema } from './watch-rules.ts';

/** The interval of sweeps that a user may choose, in milliseconds. */
const sweepEverySchema = z
  .number()
  .int()
  .min(10_000)
  .max(24 * 60 * 60_000);

/**
 * - `off`: this process does not watch folders
 * - `paused`: by the user
 * - `watching`: the system reports changes, and sweeps check them
 * - `sweep-only`: only sweeps find changes; `notice` says why
 * - `waiting-for-drive`: the drive, share or folder is missing; no file counts as deleted
 * - `moved`: the folder seems to be at `movedTo` now: `watch.confirmMoved`
 * - `unusable`: it can't be read; `notice` says why
 */
const FOLDER_STATES = ['off', 'paused', 'watching', 'sweep-only', 'waiting-for-drive', 'moved', 'unusable'] as const;

/** One watched folder as a screen shows it. Times are epoch milliseconds. */
export const watchedFolderSchema = z.object({
  id: z.string(),
  /** The full path. */
  root: z.string(),
  /** The last name of the path. */
  name: z.string(),
  /** The name of its drive or share. */
  driveName: z.string(),
  rules: watchRulesSchema,
  state: z.enum(FOLDER_STATES),
  isSweeping: z.boolean(),
  /** Why the folder is in its state, with the next step; null in the usual states. */
  notice: appErrorSchema.nullable(),
  /** In the state `moved`: the full path of the folder that seems to be the moved one. */
  movedTo: z.string().nullable(),
  lastSweepAt: z.number().nullable(),
  /** Null while the process does not watch, or no sweep is planned. */
  nextSweepAt: z.number().nullable(),
  /** The interval that the user chose; null: Mediadesk chooses it. */
  sweepEveryMs: sweepEverySchema.nullable(),
  addedAt: z.number(),
  /** Files by state; every state is present. `done` counts files that were uploaded or did not need to be. */
  counts: z.record(z.enum(WATCHED_STATES), z.number()),
  /** Of `counts.done`, files without an upload: they existed before, or their contents were uploaded before. */
  unsent: z.number(),
});
export type WatchedFolder = z.output<typeof watchedFolderSchema>;

const folderPath = z.string().min(1).max(4096);

export const addWatchedFolderInputSchema = z.object({
  /** Absolute. */
  path: folderPath,
  rules: watchRulesSchema,
  sweepEveryMs: sweepEverySchema.nullable().default(null),
});

/** Missing fields are not changed. Queued files keep the settings with which they were queued. */
export const editWatchedFolderInputSchema = z.object({
  folderId: z.string(),
  rules: watchRulesSchema.optional(),
  sweepEveryMs: sweepEverySchema.nullable().optional(),
});

export const folderRefSchema = z.object({ folderId: z.string() });

/** Which part of a condition decided about a file: see `Clause` in `shared/model/watch/apply-rules.ts`. */
const clauseSchema = z.discriminatedUnion('kind', [
  z.object({ kind: z.literal('include'), glob: z.string().nullable() }),
  z.object({ kind: z.literal('not-included') }),
  z.object({ kind: z.literal('exclude'), glob: z.string() }),
  z.object({ kind: z.literal('min-size'), minSizeBytes: z.number() }),
  z.object({ kind: z.literal('min-age'), minAgeMs: z.number() }),
  z.object({ kind: z.literal('empty') }),
  z.object({
    kind: z.literal('ignored'),
    reason: z.enum(['partial', 'temporary', 'system', 'hidden', 'work-folder', 'system-folder', 'package']),
    name: z.string(),
  }),
  z.object({ kind: z.literal('not-a-file') }),
  z.object({ kind: z.literal('existing') }),
  z.object({ kind: z.literal('handled') }),
  z.object({ kind: z.literal('attached'), recording: z.string() }),
  z.object({ kind: z.literal('unclear'), recordings: z.array(z.string()) }),
  z.object({ kind: z.literal('manifest') }),
]);

/** The decision of the rules about a file. `ruleId` null: decided before the rules. */
const verdictSchema = z.object({
  kind: z.enum(['upload', 'wait', 'skip']),
  ruleId: z.string().nullable(),
  /** The name of the rule; null for the defaults of the folder, and when no rule decided. */
  ruleName: z.string().nullable(),
  clause: clauseSchema,
  /** The rules before it, each with the condition that the file did not meet. */
  passed: z.array(z.object({ ruleId: z.string(), clause: clauseSchema })),
});
export type WatchVerdict = z.output<typeof verdictSchema>;

/** One file of a watched folder as a screen shows it. Times are epoch milliseconds. */
const watchedFileRowSchema = z.object({
  id: z.string(),
  folderId: z.string(),
  /** Relative to the folder, with `/` between the names. */
  path: z.string(),
  fileName: z.string(),
  sizeBytes: z.number(),
  state: z.enum(WATCHED_STATES),
  /** Why it is in its state, such as `watch.settling` or `watch.incomplete`; null without a reason. */
  reason: appErrorSchema.nullable(),
  /** When the file will be ready for upload if it does not change; null: unknown. */
  readyAt: z.number().nullable(),
  /** The decision of the rules; null until they have decided. */
  verdict: verdictSchema.nullable(),
  /** Its upload; null without one. */
  uploadId: z.string().nullable(),
  uploadState: z.enum(UPLOAD_STATES).nullable(),
  batchId: z.string().nullable(),
  mediaId: z.string().nullable(),
  firstSeenAt: z.number(),
  /** When it was queued. */
  handledAt: z.number().nullable(),
  /** Whether the file has left the folder, for example because it was moved. */
  isGone: z.boolean(),
});
export type WatchedFileRow = z.output<typeof watchedFileRowSchema>;

/**
 * - `settling`: files that may still be written, or wait for a rule or a recording
 * - `attention`: incomplete recordings, which the user can upload anyway
 * - `recent`: files that were queued, the latest first
 * - `refused`: skipped files
 */
export const WATCHED_FILTERS = ['settling', 'attention', 'recent', 'refused'] as const;

export const listWatchedFilesInputSchema = z.object({
  /** Null: of all folders. */
  folderId: z.string().nullable().default(null),
  filter: z.enum(WATCHED_FILTERS),
  offset: z.number().int().min(0).default(0),
  limit: z.number().int().min(1).max(500).default(100),
});

/** Files by their full paths. */
export const findWatchedFilesInputSchema = z.object({ paths: z.array(z.string().min(1).max(4096)).min(1).max(1000) });
/** In the order of the paths; null: no watched folder knows such a file. */
export const foundWatchedFilesSchema = z.object({ rows: z.array(watchedFileRowSchema.nullable()) });

export const watchedFilesSchema = z.object({ total: z.number(), rows: z.array(watchedFileRowSchema) });

/** Checks the path and throws the errors of `watch.add`. */
export const countFolderInputSchema = z.object({ path: folderPath });

/** Spreadsheets in a folder and below that can describe its files, with the present effect of their rows. */
export const offeredManifestSchema = z.object({
  /** Their paths in the folder, and why a file can't be used; the numbers do not include such a file. */
  files: z.array(z.object({ path: z.string(), error: appErrorSchema.nullable() })),
  /** Whether `files` lists all of them. */
  isAll: z.boolean(),
  /** The sum of the other numbers. */
  rows: z.number(),
  /** Rows without errors whose file is in the folder. */
  fitting: z.number(),
  /** Rows whose file is not in the folder yet. */
  missing: z.number(),
  /** Rows with errors. */
  bad: z.number(),
  /** Rows whose file is in a sub-folder with a spreadsheet of its own, which counts instead. */
  nearer: z.number(),
  /** Rows whose file was uploaded before. */
  uploaded: z.number(),
});
export type OfferedManifest = z.output<typeof offeredManifestSchema>;

/** The present contents of a folder, without hidden and temporary files. */
export const folderCountSchema = z.object({
  files: z.number(),
  bytes: z.number(),
  /** Whether all files were counted; otherwise the numbers refer to the counted files. */
  isAll: z.boolean(),
  /** On a network drive only sweeps find changes. */
  isNetwork: z.boolean(),
  /** Absent: there is no such spreadsheet. It is used only if the rules require it. */
  manifest: offeredManifestSchema.optional(),
});

/** `folderId`: of an existing folder, whose uploaded files are known; null: the path is not watched. */
export const previewWatchInputSchema = z.object({
  path: folderPath,
  folderId: z.string().nullable().default(null),
  rules: watchRulesSchema,
  /** The maximum number of listed files; the totals count all. */
  limit: z.number().int().min(1).max(5000).default(500),
});

const previewTotalSchema = z.object({ files: z.number(), bytes: z.number() });

/** The decision about each file that is in the folder now, for when it is complete. */
export const watchPreviewSchema = z.object({
  totals: z.object({ upload: previewTotalSchema, wait: previewTotalSchema, skip: previewTotalSchema }),
  /** False when the folder has more files than were read. */
  isAll: z.boolean(),
  files: z.array(
    z.object({
      path: z.string(),
      sizeBytes: z.number(),
      verdict: verdictSchema,
      /** Of a file that is uploaded. */
      plan: z
        .object({
          /** Null: it depends on the contents of the file, and the preview did not have time to read them. */
          title: z.string().nullable(),
          /** Why the title differs from its template. */
          titleNotice: appErrorSchema.nullable(),
          /** The collection, and the collections below it from the top down. */
          collection: z.object({ name: z.string(), below: z.array(z.string()), creates: z.boolean() }),
          settings: watchRulesSchema.shape.defaults.shape.settings.omit({ collection: true, titleTemplate: true }),
        })
        .nullable(),
    }),
  ),
});
export type WatchPreview = z.output<typeof watchPreviewSchema>;

/** At most twice a second. `folderIds`: folders whose files changed, so that open lists are loaded again. */
export const watchChangeSchema = z.object({
  folders: z.array(watchedFolderSchema),
  folderIds: z.array(z.string()),
});
export type WatchChange = z.output<typeof watchChangeSchema>;
