import { DEFAULT_RULE_ID } from '../../../shared/model/watch/apply-rules.ts';
import type { GlobProblem } from '../../../shared/model/watch/glob.ts';
import type { DraftProblem } from './state/rules-draft.ts';
import { texts } from './texts.ts';

/** Returns why a pattern can't be used, as a sentence. */
export function globText(problem: GlobProblem): string {
  return texts.problems.glob[problem];
}

/** Returns a problem of a draft as a sentence with the next step. */
export function problemText(problem: DraftProblem): string {
  const words = texts.problems;
  switch (problem.kind) {
    case 'no-name':
      return words.noName;
    case 'no-collection':
      return words.noCollection;
    case 'no-folder':
      return words.noFolder;
    case 'no-existing-choice':
      return words.noExisting;
    case 'same-id':
      return words.sameId;
    case 'takes-nothing':
      return words.takesNothing(problem.glob);
    case 'title':
      return problem.sentence;
    case 'glob':
      return words.inGlob(problem.glob, globText(problem.problem));
  }
}

/** Returns the problem with the name of its rule, for a list of problems of several rules. */
export function problemInRule(problem: DraftProblem, rules: readonly { id: string; name: string }[]): string {
  if (rules.length === 0) return problemText(problem);
  const name =
    problem.ruleId === DEFAULT_RULE_ID ? texts.defaultRule : rules.find(({ id }) => id === problem.ruleId)?.name;
  return texts.problems.inRule(name ?? texts.unknownRule, problemText(problem));
}
