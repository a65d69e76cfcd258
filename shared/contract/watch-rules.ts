import { z } from 'zod';
import { PRIORITIES } from '../model/uploads/priorities.ts';
import { MOST_GLOB_CHARACTERS } from '../model/watch/glob.ts';
import { tagNamesSchema } from './tag-names.ts';
import { duplicateChoiceSchema, sourceChoiceSchema } from './upload-choices.ts';

/**
 * A collection as a rule names it: by its id, with the name that it had when the rule was saved, or by an unchecked reference as
 * in `uploads.add` (an id, a slug, a path of names such as `Science / Physics`, or a name).
 */
const collectionTargetSchema = z.discriminatedUnion('kind', [
  z.object({ kind: z.literal('id'), id: z.string().min(1), name: z.string() }),
  z.object({ kind: z.literal('ref'), ref: z.string().trim().min(1).max(1000) }),
]);
export type CollectionTarget = z.output<typeof collectionTargetSchema>;

/**
 * The collections for the files of a rule. `by-folder`: one collection per sub-folder below `parent`, either for the first level
 * of sub-folders only or for every level. Files directly in the watched folder are uploaded to `parent`. With `create` a missing
 * collection is created; without it the upload reports that its collection is missing.
 */
const collectionMappingSchema = z.discriminatedUnion('kind', [
  z.object({ kind: z.literal('fixed'), collection: collectionTargetSchema }),
  z.object({
    kind: z.literal('by-folder'),
    parent: collectionTargetSchema,
    levels: z.enum(['first', 'every']),
    create: z.boolean(),
  }),
]);

const YEAR_MS = 366 * 24 * 60 * 60_000;

/** When an item is published: never automatically, when it is complete, or `delayMs` after Mediadesk queued the file. */
const publishPolicySchema = z.discriminatedUnion('kind', [
  z.object({ kind: z.literal('draft') }),
  z.object({ kind: z.literal('now') }),
  z.object({ kind: z.literal('after'), delayMs: z.number().int().min(60_000).max(YEAR_MS) }),
]);
export type PublishPolicy = z.output<typeof publishPolicySchema>;

const globsSchema = z.array(z.string().min(1).max(MOST_GLOB_CHARACTERS)).max(50);

/**
 * The conditions of a rule; a file has to meet all of them. Sizes in bytes, times in milliseconds.
 * `minAgeMs` counts from the moment at which Mediadesk first saw the file in its present state, by the clock of this computer.
 */
const ruleConditionsSchema = z.object({
  /** A name must match one of these globs; none: every name. See `shared/model/watch/glob.ts`. */
  include: globsSchema.default([]),
  exclude: globsSchema.default([]),
  minSizeBytes: z.number().int().min(0).default(0),
  minAgeMs: z.number().int().min(0).max(YEAR_MS).default(0),
});
export type RuleConditions = z.output<typeof ruleConditionsSchema>;

const settingFields = {
  siteId: z.string().min(1),
  collection: collectionMappingSchema,
  /** See `shared/model/watch/watch-title.ts`. */
  titleTemplate: z.string().max(500),
  tags: tagNamesSchema,
  publish: publishPolicySchema,
  priority: z.enum(PRIORITIES),
  duplicates: duplicateChoiceSchema,
  /** Captions and a thumbnail beside a recording are uploaded with it. */
  sidecars: z.boolean(),
  source: sourceChoiceSchema,
  /** A JSON, XML or text file beside a recording, with its name, sets its title and other fields. */
  details: z.boolean(),
  /**
   * `manifest.csv` or `manifest.xlsx` in the folder of a file, or above, describes the file. A file without a row waits some
   * minutes for one.
   */
  manifest: z.boolean(),
};

/** The settings of a rule for its uploads. For missing ones, the folder's defaults apply. */
const ruleSettingsSchema = z.object(settingFields).partial();

const folderSettingsSchema = z.object({
  ...settingFields,
  titleTemplate: settingFields.titleTemplate.default('{name}'),
  tags: settingFields.tags.default([]),
  publish: publishPolicySchema.default({ kind: 'draft' }),
  priority: settingFields.priority.default('normal'),
  // A station has no user who could answer, so equal contents are not uploaded again.
  duplicates: duplicateChoiceSchema.default('skip'),
  sidecars: settingFields.sidecars.default(true),
  source: sourceChoiceSchema.default({ kind: 'keep' }),
  // The migrations turn it off for folders that an earlier version added.
  details: settingFields.details.default(true),
  manifest: settingFields.manifest.default(false),
});
export type FolderSettings = z.output<typeof folderSettingsSchema>;

/** One rule of a watched folder: files that meet its conditions are uploaded with its settings, or skipped. */
const watchRuleSchema = z.object({
  id: z.string().min(1).max(64),
  name: z.string().trim().min(1).max(200),
  enabled: z.boolean().default(true),
  conditions: ruleConditionsSchema.prefault({}),
  action: z.discriminatedUnion('kind', [
    z.object({ kind: z.literal('upload'), settings: ruleSettingsSchema.prefault({}) }),
    z.object({ kind: z.literal('skip') }),
  ]),
});

/**
 * The rules of one watched folder in their order. `defaults` is the implicit last rule and supplies missing settings of the
 * others.
 */
export const watchRulesSchema = z.object({
  /** Whether files are uploaded that existed when the folder was added. */
  existingFiles: z.enum(['upload', 'skip']).default('upload'),
  rules: z.array(watchRuleSchema).max(100).default([]),
  defaults: z.object({ conditions: ruleConditionsSchema.prefault({}), settings: folderSettingsSchema }),
});
export type WatchRules = z.output<typeof watchRulesSchema>;
