import type { IncomingMessage, ServerResponse } from 'node:http';
import { z } from 'zod';
import type { JournalEntry } from './journal.ts';

const actionSchema = z.discriminatedUnion('kind', [
  /** Answers at once, without any effect. */
  z.strictObject({
    kind: z.literal('status'),
    status: z.number().int().min(200).max(599),
    body: z.unknown().optional(),
    headers: z.record(z.string(), z.string()).optional(),
  }),
  /** Waits, then goes on as usual. */
  z.strictObject({ kind: z.literal('delay'), ms: z.number().int().min(0).max(600_000) }),
  /** Resets the connection once so many body bytes have come, or at the body's end if it is shorter. */
  z.strictObject({ kind: z.literal('reset'), afterBytes: z.number().int().min(0) }),
  /** Does the work, then resets the connection instead of answering. */
  z.strictObject({ kind: z.literal('lose-reply') }),
]);

/** A rule as the control port and a configuration file name it. */
export const ruleSchema = z.strictObject({
  /** Any method when left out. */
  method: z.string().toUpperCase().optional(),
  /** Regular expression, tried on the path without query. */
  path: z.string().refine(isRegExp, 'must be a regular expression'),
  /** The first match that the rule acts on, counted from 1. */
  nth: z.number().int().min(1).default(1),
  /** How many matches it acts on from there; null for ever. */
  times: z.number().int().min(1).nullable().default(1),
  action: actionSchema,
});

export type FaultAction = z.output<typeof actionSchema>;

export interface FaultRule extends z.output<typeof ruleSchema> {
  id: number;
  /** Requests that matched so far. */
  seen: number;
}

export interface FaultRegister {
  /** Throws a ZodError for a rule that can't be. */
  add(rule: unknown): FaultRule;
  list(): FaultRule[];
  /** Removes one rule, or all. */
  clear(id?: number): void;
  /** Lets the request through, or does to it what the first rule says that fits. */
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
      if (acts) chosen ??= rule;
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

function perform(action: FaultAction, request: IncomingMessage, response: ServerResponse, next: () => void): void {
  switch (action.kind) {
    case 'status':
      answer(action, request, response);
      return;
    case 'delay':
      setTimeout(next, action.ms);
      return;
    case 'reset':
      resetAfter(request, action.afterBytes);
      if (action.afterBytes > 0) next();
      return;
    case 'lose-reply':
      loseReply(request, response);
      next();
  }
}

function answer(
  action: Extract<FaultAction, { kind: 'status' }>,
  request: IncomingMessage,
  response: ServerResponse,
): void {
  const isText = typeof action.body === 'string';
  const body = isText
    ? (action.body as string)
    : JSON.stringify(action.body ?? { message: `Fault: ${action.status}.` });
  response.writeHead(action.status, {
    'content-type': isText ? 'text/html; charset=utf-8' : 'application/json; charset=utf-8',
    ...action.headers,
  });
  response.end(action.status === 204 || action.status === 304 ? undefined : body);
  request.resume();
}

/** Counts body bytes where they enter the stream, whoever reads them. */
function resetAfter(request: IncomingMessage, afterBytes: number): void {
  if (afterBytes === 0) {
    request.socket.resetAndDestroy();
    return;
  }
  const push = request.push.bind(request);
  let bytes = 0;
  request.push = (chunk: Buffer | null) => {
    bytes += chunk?.length ?? 0;
    if (chunk !== null && bytes < afterBytes) return push(chunk);
    request.socket.resetAndDestroy();
    return false;
  };
}

/** Swallows everything that would be answered, and resets the connection where the answer would end. */
function loseReply(request: IncomingMessage, response: ServerResponse): void {
  const { socket } = request;
  response.writeHead = (() => response) as typeof response.writeHead;
  response.write = (() => true) as typeof response.write;
  response.flushHeaders = () => {};
  response.end = (() => {
    socket.resetAndDestroy();
    return response;
  }) as typeof response.end;
}

function isRegExp(text: string): boolean {
  try {
    new RegExp(text);
    return true;
  } catch {
    return false;
  }
}
