import type { RuleConditions, WatchRules } from '../../contract/watch-rules.ts';
import { titleTemplateProblem } from '../title-template.ts';
import { DEFAULT_RULE_ID } from './apply-rules.ts';
import { type GlobProblem, globProblem } from './glob.ts';
import { WATCH_TITLE_TOKENS } from './watch-title.ts';

/** The problems that prevent rules from being saved, by rule. `sentence`: for the user, with the known tokens. */
export type RuleProblem = { ruleId: string } & (
  | { kind: 'glob'; list: 'include' | 'exclude'; glob: string; problem: GlobProblem }
  | { kind: 'title'; sentence: string }
  | { kind: 'same-id' }
  /** A glob that is both included and excluded. */
  | { kind: 'takes-nothing'; glob: string }
);

/** Returns all problems that prevent these rules from being saved; empty when there are none. */
export function rulesProblems({ rules, defaults }: WatchRules): RuleProblem[] {
  const problems: RuleProblem[] = [];
  const ids = new Set<string>([DEFAULT_RULE_ID]);
  for (const { id, conditions, action } of rules) {
    if (ids.has(id)) problems.push({ ruleId: id, kind: 'same-id' });
    ids.add(id);
    problems.push(...globProblems(id, conditions));
    if (action.kind === 'upload') problems.push(...titleProblems(id, action.settings.titleTemplate));
  }
  problems.push(...globProblems(DEFAULT_RULE_ID, defaults.conditions));
  problems.push(...titleProblems(DEFAULT_RULE_ID, defaults.settings.titleTemplate));
  return problems;
}

function globProblems(ruleId: string, conditions: RuleConditions): RuleProblem[] {
  const problems: RuleProblem[] = [];
  for (const list of ['include', 'exclude'] as const) {
    for (const glob of conditions[list]) {
      const problem = globProblem(glob);
      if (problem !== null) problems.push({ ruleId, kind: 'glob', list, glob, problem });
    }
  }
  const [only, ...others] = conditions.include;
  if (only !== undefined && others.length === 0 && conditions.exclude.includes(only)) {
    problems.push({ ruleId, kind: 'takes-nothing', glob: only });
  }
  return problems;
}

function titleProblems(ruleId: string, template: string | undefined): RuleProblem[] {
  const sentence = template === undefined ? null : titleTemplateProblem(template, WATCH_TITLE_TOKENS);
  return sentence === null ? [] : [{ ruleId, kind: 'title', sentence }];
}
