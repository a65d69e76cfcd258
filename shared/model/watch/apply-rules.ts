import type { PublishChoice } from '../../contract/upload-choices.ts';
import type {
  CollectionTarget,
  FolderSettings,
  PublishPolicy,
  RuleConditions,
  WatchRules,
} from '../../contract/watch-rules.ts';
import { type Ignored, ignoredPart } from '../ignored-names.ts';
import { companionKindOf } from '../pairing/pair-files.ts';
import { needsTitleContents } from '../title-template.ts';
import { compileGlob, type Glob, matchesGlob } from './glob.ts';
import { isManifestName } from './manifest-names.ts';
import { shownText, type TitleDay, titleDay, watchTitle } from './watch-title.ts';
import { foldersOf, nameOf, type WatchedFileFacts } from './watched-file.ts';

/** The id of the implicit last rule. */
export const DEFAULT_RULE_ID = 'defaults';

/** The rules of a watched folder with the name of the folder, which titles may contain. */
export interface FolderRules extends WatchRules {
  folderName: string;
}

/** The condition that decided: it accepts the file, refuses it, or postpones it. */
type Clause =
  /** The glob that matched the file; null when the rule accepts every name. */
  | { kind: 'include'; glob: string | null }
  | { kind: 'not-included' }
  | { kind: 'exclude'; glob: string }
  | { kind: 'min-size'; minSizeBytes: number }
  | { kind: 'min-age'; minAgeMs: number }
  /** The file has no bytes. */
  | { kind: 'empty' }
  /** Not decided by a rule of the user: */
  | ({ kind: 'ignored' } & Ignored)
  | { kind: 'not-a-file' }
  | { kind: 'existing' }
  | { kind: 'handled' }
  /** Uploaded with this recording; a path relative to the watched folder. */
  | { kind: 'attached'; recording: string }
  /** Belongs to one of these recordings, paths as above: its name does not decide to which. */
  | { kind: 'unclear'; recordings: string[] }
  /** Describes other files. */
  | { kind: 'manifest' };

/** Why an earlier rule did not decide. */
interface PassedRule {
  ruleId: string;
  clause: Clause;
}

/** The collection of a file: `target`, or the collection with these names below it. */
interface PlannedCollection {
  target: CollectionTarget;
  /** Names of collections below `target`, outermost first; empty: `target` itself. */
  below: readonly string[];
  /** Missing collections of `below` are created. */
  create: boolean;
}

/** The initial values of an upload. */
export interface UploadPlan extends Omit<FolderSettings, 'collection' | 'titleTemplate'> {
  collection: PlannedCollection;
  title: string;
  /** Tokens of the title template that have no value for this file: its title is its name then. */
  titleMissing: readonly string[];
  /** The title depends on the contents of the file, which the facts do not include. */
  needsContents: boolean;
  /** The value of `{day}`. */
  titleDay: TitleDay;
}

/**
 * The decision about a file. `ruleId` null: decided before the rules. `passed`: the rules before it, in order, each with the
 * condition that the file did not meet. `untilMs`, epoch milliseconds: when to apply the rules again; null: when the file has
 * changed.
 */
export type RuleOutcome =
  | { kind: 'upload'; ruleId: string; clause: Clause; plan: UploadPlan; passed: readonly PassedRule[] }
  | { kind: 'skip'; ruleId: string | null; clause: Clause; passed: readonly PassedRule[] }
  | { kind: 'wait'; ruleId: string; clause: Clause; untilMs: number | null; passed: readonly PassedRule[] };

/**
 * Decides about a file of a watched folder. The first rule whose conditions on name and size are met decides, the defaults come
 * last; the minimum age only postpones. Depends only on its arguments and the time zone of the computer. An invalid glob matches
 * no file as an include and every file as an exclude (`rulesProblems` finds such rules before they are saved).
 */
export function applyRules(rules: FolderRules, facts: WatchedFileFacts, nowMs: number): RuleOutcome {
  const fixed = fixedClause(rules, facts);
  if (fixed !== null) return { kind: 'skip', ruleId: null, clause: fixed, passed: [] };
  const attached = attachedTo(rules, facts, nowMs);
  if (attached !== null) return attached;
  const passed: PassedRule[] = [];
  for (const { id, enabled, conditions, action } of rules.rules) {
    if (!enabled) continue;
    const { isMet, clause } = judge(conditions, facts);
    if (!isMet) {
      passed.push({ ruleId: id, clause });
      continue;
    }
    if (action.kind === 'skip') return { kind: 'skip', ruleId: id, clause, passed };
    const settings = { ...rules.defaults.settings, ...definedOf(action.settings) };
    return takenBy({ ruleId: id, clause, passed }, conditions.minAgeMs, settings, rules, facts, nowMs);
  }
  const { conditions, settings } = rules.defaults;
  const { isMet, clause } = judge(conditions, facts);
  if (!isMet) return { kind: 'skip', ruleId: DEFAULT_RULE_ID, clause, passed };
  return takenBy({ ruleId: DEFAULT_RULE_ID, clause, passed }, conditions.minAgeMs, settings, rules, facts, nowMs);
}

/** Returns the publish choice of an upload that is queued at `nowMs`. */
export function publishChoiceOf(policy: PublishPolicy, nowMs: number): PublishChoice {
  if (policy.kind !== 'after') return policy;
  return { kind: 'at', at: new Date(nowMs + policy.delayMs).toISOString() };
}

/** Returns the fact about a file that decides before any rule, such as an ignored name; null: the rules decide. */
function fixedClause(rules: WatchRules, facts: WatchedFileFacts): Clause | null {
  const ignored = ignoredPart(facts.path);
  if (ignored !== null) return { kind: 'ignored', ...ignored };
  if (facts.kind !== 'file') return { kind: 'not-a-file' };
  if (isManifestName(nameOf(facts.path)) && usesManifest(rules)) return { kind: 'manifest' };
  if (facts.isHandled) return { kind: 'handled' };
  return facts.isExisting && rules.existingFiles === 'skip' ? { kind: 'existing' } : null;
}

/** Returns whether any rule of a folder uses descriptions from a manifest. */
function usesManifest({ rules, defaults }: WatchRules): boolean {
  if (defaults.settings.manifest) return true;
  return rules.some(({ enabled, action }) => enabled && action.kind === 'upload' && action.settings.manifest === true);
}

/**
 * Returns the decision about a companion. Captions, thumbnails and files with details are uploaded or skipped with their
 * recording, also with a recording that was uploaded before or existed before: they are never items when its rule uses them. The
 * same applies to a file whose recording is not certain.
 */
function attachedTo(
  rules: FolderRules,
  { path, recording, candidates = [] }: WatchedFileFacts,
  nowMs: number,
): RuleOutcome | null {
  const option = companionKindOf(nameOf(path)) === 'details' ? 'details' : 'sidecars';
  const owners = recording === null ? candidates : [recording];
  for (const owner of owners) {
    const outcome = applyRules(
      rules,
      { ...owner, recording: null, candidates: [], isHandled: false, isExisting: false },
      nowMs,
    );
    if (outcome.kind === 'skip') continue;
    const { settings } = rules.defaults;
    const own = rules.rules.find(({ id }) => id === outcome.ruleId)?.action;
    const isTaken = (own?.kind === 'upload' ? own.settings[option] : undefined) ?? settings[option];
    if (!isTaken) continue;
    const { ruleId, passed } = outcome;
    const clause: Clause =
      recording === null
        ? { kind: 'unclear', recordings: candidates.map((each) => each.path) }
        : { kind: 'attached', recording: recording.path };
    return { kind: 'skip', ruleId, clause, passed };
  }
  return null;
}

/** Returns whether a file meets the conditions on name and size, and the condition that decided. */
function judge(
  { include, exclude, minSizeBytes }: RuleConditions,
  { path, sizeBytes }: WatchedFileFacts,
): { isMet: boolean; clause: Clause } {
  const included = include.find((glob) => matches(glob, path) === true);
  if (included === undefined && include.length > 0) return { isMet: false, clause: { kind: 'not-included' } };
  const excluded = exclude.find((glob) => matches(glob, path) !== false);
  if (excluded !== undefined) return { isMet: false, clause: { kind: 'exclude', glob: excluded } };
  // An empty file waits for its first byte; its size is not decisive yet.
  if (sizeBytes > 0 && sizeBytes < minSizeBytes) return { isMet: false, clause: { kind: 'min-size', minSizeBytes } };
  return { isMet: true, clause: { kind: 'include', glob: included ?? null } };
}

function takenBy(
  decided: { ruleId: string; clause: Clause; passed: readonly PassedRule[] },
  minAgeMs: number,
  settings: FolderSettings,
  rules: FolderRules,
  facts: WatchedFileFacts,
  nowMs: number,
): RuleOutcome {
  if (facts.sizeBytes === 0) return { ...decided, kind: 'wait', clause: { kind: 'empty' }, untilMs: null };
  const ageMs = nowMs - facts.unchangedSinceMs;
  // A time far in the future means that the file was seen before the clock was set back: its age is unknown, and it could wait
  // for a year.
  if (ageMs < minAgeMs && -ageMs < minAgeMs) {
    const untilMs = facts.unchangedSinceMs + minAgeMs;
    return { ...decided, kind: 'wait', clause: { kind: 'min-age', minAgeMs }, untilMs };
  }
  return { ...decided, kind: 'upload', plan: planOf(settings, rules.folderName, facts) };
}

function planOf(settings: FolderSettings, folderName: string, facts: WatchedFileFacts): UploadPlan {
  const { collection, titleTemplate, ...same } = settings;
  const { title, missing } = watchTitle(titleTemplate, facts, folderName);
  return {
    ...same,
    collection: plannedCollection(collection, facts.path),
    title,
    titleMissing: missing,
    needsContents: facts.contents === undefined && needsTitleContents(titleTemplate),
    titleDay: titleDay(facts),
  };
}

function plannedCollection(mapping: FolderSettings['collection'], path: string): PlannedCollection {
  if (mapping.kind === 'fixed') return { target: mapping.collection, below: [], create: false };
  const folders = foldersOf(path).map((name) => shownText(name).trim() || name);
  const below = mapping.levels === 'first' ? folders.slice(0, 1) : folders;
  return { target: mapping.parent, below, create: mapping.create };
}

/** Returns an object without members that are undefined, which would hide the defaults. */
function definedOf<T extends object>(settings: T): { [K in keyof T]: Exclude<T[K], undefined> } {
  const entries = Object.entries(settings).filter(([, value]) => value !== undefined);
  return Object.fromEntries(entries) as { [K in keyof T]: Exclude<T[K], undefined> };
}

/** Compiled globs by their text. Many files are compared with few globs. */
const compiled = new Map<string, Glob | null>();
const MOST_COMPILED = 1000;

/** Returns null for an invalid glob. */
function matches(text: string, path: string): boolean | null {
  let glob = compiled.get(text);
  if (glob === undefined) {
    if (compiled.size >= MOST_COMPILED) compiled.clear();
    const result = compileGlob(text);
    glob = typeof result === 'string' ? null : result;
    compiled.set(text, glob);
  }
  return glob === null ? null : matchesGlob(glob, path);
}
