import type { IncomingMessage, ServerResponse } from 'node:http';
import { z } from 'zod';
import type { JournalEntry } from '../site/journal.ts';
import { actionSchema, perform } from './fault-actions.ts';

/** The schema of a rule in the control port and in a configuration file. */
export const ruleSchema = z.strictObject({
  /** Optional; without it, the rule matches every method. */
  method: z.string().toUpperCase().optional(),
  /** Regular expression that is tested on the path without query. */
  path: z.string().refine(isRegExp, 'must be a regular expression'),
  /** The first match that the rule acts on, counted from 1. */
  nth: z.number().int().min(1).default(1),
  /** The number of matches that the rule acts on from `nth` on; null for no limit. */
  times: z.number().int().min(1).nullable().default(1),
  /** The probability that the rule acts on such a match. */
  probability: z.number().min(0).max(1).default(1),
  action: actionSchema,
});

interface FaultRule extends z.output<typeof ruleSchema> {
  id: number;
  /** Number of matching requests so far. */
  seen: number;
}

export interface FaultRegister {
  /** Throws a ZodError for an invalid rule. */
  add(rule: unknown): FaultRule;
  list(): FaultRule[];
  /** Removes one rule, or all. */
  clear(id?: number): void;
  /** Passes the request on, or applies the first rule that acts on it. */
  apply(request: IncomingMessage, response: ServerResponse, entry: JournalEntry, next: () => void): void;
}

export function createFaultRegister(): FaultRegister {
  let rules: FaultRule[] = [];
  let lastId = 0;

  function pick(method: string, path: string): FaultRule | undefined {
    let chosen: FaultRule | undefined;
    for (const rule of rules) {
      if ((rule.method && rule.method !== method) || !new RegExp(rule.path).test(path)) continue;
      rule.seen += 1;
      const acts = rule.seen >= rule.nth && (rule.times === null || rule.seen < rule.nth + rule.times);
      if (acts && (rule.probability === 1 || Math.random() < rule.probability)) chosen ??= rule;
    }
    return chosen;
  }

  return {
    add(given) {
      lastId += 1;
      const rule = { ...ruleSchema.parse(given), id: lastId, seen: 0 };
      rules.push(rule);
      return rule;
    },
    list: () => rules,
    clear(id) {
      rules = id === undefined ? [] : rules.filter((rule) => rule.id !== id);
    },
    apply(request, response, entry, next) {
      const rule =
        rules.length > 0 ? pick(request.method ?? '', (request.url ?? '').split('?', 1)[0] ?? '') : undefined;
      if (!rule) return next();
      entry.fault = rule.action.kind;
      perform(rule.action, request, response, next);
    },
  };
}

function isRegExp(text: string): boolean {
  try {
    new RegExp(text);
    return true;
  } catch {
    return false;
  }
}
