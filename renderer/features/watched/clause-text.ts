import type { WatchPreview, WatchVerdict } from '../../../shared/contract/watch.ts';
import { DEFAULT_RULE_ID } from '../../../shared/model/watch/apply-rules.ts';
import { formatBytes, formatWait } from '../../kit/text/format.ts';
import { texts } from './texts.ts';

type Verdict = WatchVerdict | WatchPreview['files'][number]['verdict'];
type Clause = Verdict['clause'];

/** Returns the deciding condition as a part of a sentence: `the name matches *.mp4`. */
function conditionText(clause: Clause): string {
  const words = texts.conditions;
  switch (clause.kind) {
    case 'include':
      return clause.glob === null ? words.everyName : words.include(clause.glob);
    case 'not-included':
      return words.notIncluded;
    case 'exclude':
      return words.exclude(clause.glob);
    case 'min-size':
      return words.minSize(formatBytes(clause.minSizeBytes));
    case 'min-age':
      return words.minAge(formatWait(clause.minAgeMs / 1000));
    case 'empty':
      return words.empty;
    case 'ignored':
      return words.ignored[clause.reason](clause.name);
    case 'not-a-file':
      return words.notAFile;
    case 'existing':
      return words.existing;
    case 'handled':
      return words.handled;
    case 'attached':
      return words.attached(clause.recording);
    case 'unclear':
      return words.unclear(clause.recordings);
    case 'manifest':
      return words.manifest;
  }
}

/** Returns the decision as a sentence: `Rule “Lectures” skips it: the file is smaller than 5 MB.` */
export function verdictText(verdict: Verdict): string {
  const condition = conditionText(verdict.clause);
  const name = ruleNameOf(verdict);
  return name === null ? texts.verdict.plain(condition) : texts.verdict[verdict.kind](name, condition);
}

/** Returns the decision in short, for a line with other facts: `Lectures: the name matches *.mp4`. */
export function shortVerdictText(verdict: Verdict): string {
  const condition = conditionText(verdict.clause);
  const name = ruleNameOf(verdict);
  return name === null ? condition : texts.verdict.short(name, condition);
}

/**
 * Returns the name of the rule that decided; null when the decision was made before the rules, and for captions, which follow
 * their recording.
 */
function ruleNameOf({ ruleId, ruleName, clause }: Verdict): string | null {
  if (ruleId === null || clause.kind === 'attached' || clause.kind === 'unclear') return null;
  return ruleId === DEFAULT_RULE_ID ? texts.defaultRule : (ruleName ?? texts.unknownRule);
}

/**
 * Returns the reasons why the rules before the deciding one did not apply, one sentence for each. `rules`: provides their names.
 */
export function passedTexts(verdict: Verdict, rules: readonly { id: string; name: string }[]): string[] {
  return verdict.passed.map(({ ruleId, clause }) => {
    const name = rules.find(({ id }) => id === ruleId)?.name ?? texts.unknownRule;
    return texts.verdict.passed(name, conditionText(clause));
  });
}
