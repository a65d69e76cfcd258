import { isDeepStrictEqual } from 'node:util';
import type { RuleConditions } from '../../../shared/contract/watch-rules.ts';
import { ignoredPart } from '../../../shared/model/ignored-names.ts';
import {
  applyRules,
  DEFAULT_RULE_ID,
  type FolderRules,
  type RuleOutcome,
} from '../../../shared/model/watch/apply-rules.ts';
import { compileGlob, matchesGlob } from '../../../shared/model/watch/glob.ts';
import { previewFolder } from '../../../shared/model/watch/preview-folder.ts';
import { foldersOf, type WatchedFileFacts } from '../../../shared/model/watch/watched-file.ts';
import { withRecordings } from '../../../shared/model/watch/with-recordings.ts';
import { anyFiles, anyRules } from './arbitrary-watch-rules.ts';
import { Prng } from './prng.ts';
import { SAMPLE_NOW } from './watch-samples.ts';

/** A random tree with rules. */
interface Case {
  rules: FolderRules;
  files: WatchedFileFacts[];
  prng: Prng;
}

/** Random trees with rules, the same ones for the same seed. */
export function* treesOf(seed: number, count: number): Generator<Case> {
  for (let index = 0; index < count; index += 1) {
    const prng = new Prng(seed, index);
    yield { rules: anyRules(prng), files: anyFiles(prng), prng };
  }
}

/** Decides like the runner, which knows only the files of the same folder, in another order, and rules from the database. */
function resultOf({ rules, files }: Case, facts: WatchedFileFacts, nowMs: number): RuleOutcome {
  const folder = foldersOf(facts.path).join('/');
  const group = files.filter(({ path }) => foldersOf(path).join('/') === folder).reverse();
  const own = withRecordings(group).find(({ path }) => path === facts.path) as WatchedFileFacts;
  return applyRules(structuredClone(rules), structuredClone(own), nowMs);
}

/** Decides by the description of the rules, step by step: only whether and by which rule a file is taken. */
function expected(rules: FolderRules, facts: WatchedFileFacts, nowMs: number): string {
  if (ignoredPart(facts.path) !== null || facts.kind === 'other') return 'skip null';
  if (facts.isHandled || (facts.isExisting && rules.existingFiles === 'skip')) return 'skip null';
  for (const recording of facts.recording === null ? (facts.candidates ?? []) : [facts.recording]) {
    const alone = { ...recording, recording: null, candidates: [], isHandled: false, isExisting: false };
    const [fate, ruleId = ''] = expected(rules, alone, nowMs).split(' ');
    const rule = rules.rules.find(({ id }) => id === ruleId);
    const own = rule?.action.kind === 'upload' ? rule.action.settings.sidecars : undefined;
    if (fate !== 'skip' && (own ?? rules.defaults.settings.sidecars)) return `skip ${ruleId}`;
  }
  const last = { ...rules.defaults, id: DEFAULT_RULE_ID, enabled: true, action: { kind: 'upload' } };
  const taker = [...rules.rules, last].find(({ enabled, conditions }) => enabled && isMet(conditions, facts));
  if (taker === undefined) return `skip ${DEFAULT_RULE_ID}`;
  if (taker.action.kind === 'skip') return `skip ${taker.id}`;
  const isYoung = Math.abs(nowMs - facts.unchangedSinceMs) < taker.conditions.minAgeMs;
  return `${facts.sizeBytes === 0 || isYoung ? 'wait' : 'upload'} ${taker.id}`;
}

function isMet({ include, exclude, minSizeBytes }: RuleConditions, { path, sizeBytes }: WatchedFileFacts): boolean {
  const fits = (glob: string) => {
    const compiled = compileGlob(glob);
    return typeof compiled === 'object' && matchesGlob(compiled, path);
  };
  if (exclude.some(fits)) return false;
  return (include.length === 0 || include.some(fits)) && (sizeBytes === 0 || sizeBytes >= minSizeBytes);
}

/**
 * Compares the preview of random trees with what the runner does with one file of each. Returns how many files had each
 * outcome, and the paths with another outcome.
 */
export function comparePreviews(seed: number, count: number) {
  const compared = { upload: 0, wait: 0, skip: 0, different: [] as string[] };
  for (const each of treesOf(seed, count)) {
    const preview = previewFolder(each.rules, each.files, SAMPLE_NOW);
    const index = each.prng.int(0, each.files.length - 1);
    const facts = each.files[index];
    if (facts === undefined) continue;
    const previewed = preview.files[index];
    const result = resultOf(each, facts, SAMPLE_NOW);
    if (previewed?.path !== facts.path || !isDeepStrictEqual(previewed.outcome, result))
      compared.different.push(facts.path);
    compared[result.kind] += 1;
  }
  return compared;
}

/** Returns the files of random trees that are decided in another way than the description of the rules says. */
export function compareRules(seed: number, count: number): { files: number; different: string[] } {
  const compared = { files: 0, different: [] as string[] };
  for (const { rules, files } of treesOf(seed, count)) {
    for (const facts of files) {
      const { kind, ruleId } = applyRules(rules, facts, SAMPLE_NOW);
      compared.files += 1;
      const wanted = expected(rules, facts, SAMPLE_NOW);
      if (`${kind} ${ruleId}` !== wanted) compared.different.push(`${facts.path}: ${kind} ${ruleId}, not ${wanted}`);
    }
  }
  return compared;
}
