import type { Store } from '../database/store.ts';

/**
 * One entry of the service's activity: a request with its outcome and effects, or an effect of work that was due by time, without
 * a request.
 */
export interface JournalEntry {
  seq: number;
  /** Epoch ms of the request's arrival or of the effect. */
  at: number;
  method: string | null;
  /** Path without query; signed parts are redacted. */
  path: string | null;
  /** The status of the reply; null while the request runs, or when its reply was never sent. */
  status: number | null;
  duration_ms: number | null;
  /** Bytes received on the connection after the headers. */
  received_bytes: number;
  /** Name of the applied fault. */
  fault: string | null;
  effects: JournalEffect[];
}

export interface JournalEffect {
  name: string;
  [detail: string]: string | number | boolean | null;
}

export interface Journal {
  open(method: string, path: string, at: number): JournalEntry;
  /** Records an effect that no request caused. */
  effect(at: number, effect: JournalEffect): void;
  entries(afterSeq: number): JournalEntry[];
  clear(): void;
}

const KEPT_ENTRIES = 50_000;

/** Creates a bounded journal in memory. When it is full, the oldest tenth is dropped. */
export function createJournal(): Journal {
  let entries: JournalEntry[] = [];
  let seq = 0;
  function push(entry: Omit<JournalEntry, 'seq'>): JournalEntry {
    if (entries.length >= KEPT_ENTRIES) entries = entries.slice(KEPT_ENTRIES / 10);
    seq += 1;
    const numbered = { seq, ...entry };
    entries.push(numbered);
    return numbered;
  }
  const blank = { status: null, duration_ms: null, received_bytes: 0, fault: null };
  return {
    open: (method, path, at) => push({ at, method, path: redactPath(path), ...blank, effects: [] }),
    effect: (at, effect) => void push({ at, method: null, path: null, ...blank, effects: [effect] }),
    entries: (afterSeq) => entries.filter((entry) => entry.seq > afterSeq),
    clear: () => {
      entries = [];
    },
  };
}

/** Removes the parts of a URL that would give a reader of a log access: signed parts of the path, and the query. */
export function redactPath(url: string): string {
  const path = url.split('?', 1)[0] ?? '';
  return path.replace(/^\/(upload|postprocess|cdn|account\/set-password)\/[^/]+/, '/$1/…');
}

/** Returns what records the effects of a request in its entry: each when it is durable, and none that is undone. */
export function recordIn(store: Pick<Store, 'afterCommit'>, entry: JournalEntry): (effect: JournalEffect) => void {
  return (effect) => void store.afterCommit(() => void entry.effects.push(effect));
}
