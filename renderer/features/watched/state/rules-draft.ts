import type { PresetValues } from '../../../../shared/contract/presets.ts';
import type { SourceChoice } from '../../../../shared/contract/upload-choices.ts';
import type {
  CollectionTarget,
  FolderSettings,
  RuleConditions,
  WatchRules,
} from '../../../../shared/contract/watch-rules.ts';
import { DEFAULT_RULE_ID } from '../../../../shared/model/watch/apply-rules.ts';
import { type RuleProblem, rulesProblems } from '../../../../shared/model/watch/rules-problems.ts';

type CollectionMapping = FolderSettings['collection'];
export type WatchRule = WatchRules['rules'][number];
export type RuleSettings = Extract<WatchRule['action'], { kind: 'upload' }>['settings'];

// Rules while they are edited. A collection that is not chosen yet has an empty id, a folder that is not chosen an empty path.

/** A collection that is not chosen yet. */
const NO_COLLECTION: CollectionTarget = { kind: 'id', id: '', name: '' };

export function noMapping(): CollectionMapping {
  return { kind: 'fixed', collection: NO_COLLECTION };
}

/** Returns the collection of a mapping: the collection for all files, or the parent of the collections for sub-folders. */
export function mappingTargetOf(mapping: CollectionMapping): CollectionTarget {
  return mapping.kind === 'fixed' ? mapping.collection : mapping.parent;
}

function isChosen(target: CollectionTarget): boolean {
  return target.kind === 'ref' || target.id !== '';
}

/** Returns the same mapping to another collection. */
export function withTarget(mapping: CollectionMapping, target: CollectionTarget): CollectionMapping {
  return mapping.kind === 'fixed' ? { kind: 'fixed', collection: target } : { ...mapping, parent: target };
}

/** Returns a mapping of another kind with the same collection: one collection for all files, or one for each sub-folder. */
export function withMappingKind(mapping: CollectionMapping, kind: CollectionMapping['kind']): CollectionMapping {
  if (kind === mapping.kind) return mapping;
  const target = mappingTargetOf(mapping);
  return kind === 'fixed' ? { kind, collection: target } : { kind, parent: target, levels: 'first', create: true };
}

/** Returns the rules of a folder that is about to be added: no separate rule, all files to one collection. */
export function newRules(siteId: string, collection: CollectionTarget | null): WatchRules {
  return {
    existingFiles: 'upload',
    rules: [],
    defaults: {
      conditions: { include: [], exclude: [], minSizeBytes: 0, minAgeMs: 0 },
      settings: {
        siteId,
        collection: collection === null ? noMapping() : { kind: 'fixed', collection },
        titleTemplate: '{name}',
        tags: [],
        publish: { kind: 'draft' },
        priority: 'normal',
        duplicates: 'skip',
        details: true,
        manifest: false,
        sidecars: true,
        source: { kind: 'keep' },
      },
    },
  };
}

export function newRule(id: string, name: string): WatchRule {
  return {
    id,
    name,
    enabled: true,
    conditions: { include: [], exclude: [], minSizeBytes: 0, minAgeMs: 0 },
    action: { kind: 'upload', settings: {} },
  };
}

/** Adds a rule before the selected one: the first matching rule decides, and a new rule is usually an exception. */
export function insertRule(rules: WatchRules, rule: WatchRule, beforeId: string): WatchRules {
  const at = rules.rules.findIndex(({ id }) => id === beforeId);
  const index = at < 0 ? rules.rules.length : at;
  return { ...rules, rules: rules.rules.toSpliced(index, 0, rule) };
}

export function removeRule(rules: WatchRules, ruleId: string): WatchRules {
  return { ...rules, rules: rules.rules.filter(({ id }) => id !== ruleId) };
}

/**
 * Moves a rule by a number of positions; returns the same rules when the rule is already at that end. The last rule can't be
 * moved.
 */
export function moveRule(rules: WatchRules, ruleId: string, by: number): WatchRules {
  const from = rules.rules.findIndex(({ id }) => id === ruleId);
  const to = from + by;
  const rule = rules.rules[from];
  if (rule === undefined || to < 0 || to >= rules.rules.length) return rules;
  return { ...rules, rules: rules.rules.toSpliced(from, 1).toSpliced(to, 0, rule) };
}

export function changeRule(rules: WatchRules, ruleId: string, change: (rule: WatchRule) => WatchRule): WatchRules {
  return { ...rules, rules: rules.rules.map((rule) => (rule.id === ruleId ? change(rule) : rule)) };
}

export function changeConditions(rules: WatchRules, ruleId: string, patch: Partial<RuleConditions>): WatchRules {
  if (ruleId === DEFAULT_RULE_ID) {
    const { defaults } = rules;
    return { ...rules, defaults: { ...defaults, conditions: { ...defaults.conditions, ...patch } } };
  }
  return changeRule(rules, ruleId, (rule) => ({ ...rule, conditions: { ...rule.conditions, ...patch } }));
}

export function changeDefaults(rules: WatchRules, patch: Partial<FolderSettings>): WatchRules {
  return { ...rules, defaults: { ...rules.defaults, settings: { ...rules.defaults.settings, ...patch } } };
}

/** The settings that a rule can override. Account and collection belong together. */
export const OWN_SETTINGS = [
  'collection',
  'titleTemplate',
  'tags',
  'publish',
  'priority',
  'duplicates',
  'sidecars',
  'source',
  'details',
  'manifest',
] as const satisfies readonly (keyof RuleSettings)[];
export type OwnSetting = (typeof OWN_SETTINGS)[number];

/** Returns the settings that a rule overrides. */
export function ownSettings({ action }: WatchRule): OwnSetting[] {
  return action.kind === 'skip' ? [] : OWN_SETTINGS.filter((key) => action.settings[key] !== undefined);
}

export function changeOwn(rules: WatchRules, ruleId: string, patch: RuleSettings): WatchRules {
  return changeRule(rules, ruleId, (rule) =>
    rule.action.kind === 'skip'
      ? rule
      : { ...rule, action: { kind: 'upload', settings: { ...rule.action.settings, ...patch } } },
  );
}

/** Overrides a setting in a rule; its initial value is the value of the folder. */
export function addOwn(rules: WatchRules, ruleId: string, key: OwnSetting): WatchRules {
  return changeOwn(rules, ruleId, { [key]: rules.defaults.settings[key] });
}

/** Removes the override of a setting, so that the value of the folder applies again. */
export function dropOwn(rules: WatchRules, ruleId: string, key: OwnSetting): WatchRules {
  return changeRule(rules, ruleId, (rule) => {
    if (rule.action.kind === 'skip') return rule;
    const dropped: readonly string[] = key === 'collection' ? ['collection', 'siteId'] : [key];
    const settings = Object.fromEntries(
      Object.entries(rule.action.settings).filter(([name]) => !dropped.includes(name)),
    );
    return { ...rule, action: { kind: 'upload', settings } };
  });
}

/** Switches between a rule that uploads and one that skips. A skipping rule has no settings. */
export function withAction(rule: WatchRule, kind: WatchRule['action']['kind']): WatchRule {
  if (rule.action.kind === kind) return rule;
  return { ...rule, action: kind === 'skip' ? { kind } : { kind, settings: {} } };
}

/** The reasons why rules can't be saved: the problems that `rulesProblems` finds, and missing input. */
export type DraftProblem =
  | RuleProblem
  | { ruleId: string; kind: 'no-collection' }
  | { ruleId: string; kind: 'no-folder' }
  | { ruleId: string; kind: 'no-name' }
  /** The user has not chosen whether files that are already in the folder are uploaded. */
  | { ruleId: string; kind: 'no-existing-choice' };

/**
 * Returns all problems that prevent saving a draft, in the order of the rules; problems of the rule for the remaining files come
 * last.
 */
export function draftProblems(rules: WatchRules, isExistingChosen: boolean): DraftProblem[] {
  const found = rulesProblems(rules);
  const problemsOf = (ruleId: string) => found.filter((problem) => problem.ruleId === ruleId);
  const problems: DraftProblem[] = rules.rules.flatMap((rule) => [
    ...(rule.name.trim() === '' ? [{ ruleId: rule.id, kind: 'no-name' as const }] : []),
    ...problemsOf(rule.id),
    ...(rule.action.kind === 'upload' ? choiceProblems(rule.id, rule.action.settings) : []),
  ]);
  if (!isExistingChosen) problems.push({ ruleId: DEFAULT_RULE_ID, kind: 'no-existing-choice' });
  problems.push(...choiceProblems(DEFAULT_RULE_ID, rules.defaults.settings), ...problemsOf(DEFAULT_RULE_ID));
  return problems;
}

function choiceProblems(ruleId: string, { collection, source }: RuleSettings): DraftProblem[] {
  return [
    ...(collection !== undefined && !isChosen(mappingTargetOf(collection))
      ? [{ ruleId, kind: 'no-collection' as const }]
      : []),
    ...(source !== undefined && isFolderMissing(source) ? [{ ruleId, kind: 'no-folder' as const }] : []),
  ];
}

function isFolderMissing(source: SourceChoice): boolean {
  return source.kind === 'move' && source.folder === '';
}

/**
 * Returns the rules with a placeholder for each collection and folder that is not chosen yet, so that they can be previewed.
 * `name`: the name of the placeholder collection in the preview.
 */
export function previewable(rules: WatchRules, name: string): WatchRules {
  const target: CollectionTarget = { kind: 'id', id: '-', name };
  const complete = <S extends RuleSettings>(settings: S): S => ({
    ...settings,
    ...(settings.collection !== undefined && !isChosen(mappingTargetOf(settings.collection))
      ? { collection: withTarget(settings.collection, target) }
      : {}),
    ...(settings.source !== undefined && isFolderMissing(settings.source) ? { source: { kind: 'keep' } } : {}),
  });
  return {
    ...rules,
    rules: rules.rules.map((rule, index) => ({
      ...rule,
      name: rule.name.trim() === '' ? String(index + 1) : rule.name,
      action: rule.action.kind === 'skip' ? rule.action : { kind: 'upload', settings: complete(rule.action.settings) },
    })),
    defaults: { ...rules.defaults, settings: complete(rules.defaults.settings) },
  };
}

/** The settings that a preset contains. Manifest files are a setting of the folder, not of a preset. */
type SharedSettings = Omit<FolderSettings, 'siteId' | 'collection' | 'details' | 'manifest'>;

/** Returns copies of the settings that a preset sets for a rule: later changes of the preset do not affect them. */
export function settingsOfPreset({ publish, ...values }: PresetValues): SharedSettings {
  return { ...values, publish: { kind: publish } };
}

/** Returns settings in the form of a preset; null when they have a delay of publication, which a preset can't contain. */
export function presetOfSettings({ publish, ...settings }: SharedSettings): PresetValues | null {
  if (publish.kind === 'after') return null;
  const { titleTemplate, tags, duplicates, sidecars, source, priority } = settings;
  return { titleTemplate, tags, duplicates, sidecars, source, priority, publish: publish.kind };
}

/** Returns the collection whose presets apply; null when no collection is chosen by its id. */
export function presetPlaceOf(mapping: FolderSettings['collection']): string | null {
  const target = mapping.kind === 'fixed' ? mapping.collection : mapping.parent;
  return target.kind === 'id' ? target.id : null;
}
