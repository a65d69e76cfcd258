import type { EditHistory } from './edit-history.ts';

/** Formats a history as lines in the order of time, for debugging. */
export function editTraceOf(history: EditHistory): string[] {
  const { scenario, lives, requests, effects, collectionEffects, decisions, accepted, faults, final } = history;
  const lines: { atMs: number; text: string }[] = [];
  const add = (atMs: number, text: string) => lines.push({ atMs, text });
  for (const { number, site, fromMs, toMs } of lives) {
    add(fromMs, `${site}: program ${number} starts`);
    if (toMs !== null) add(toMs, `${site}: program ${number} has ended`);
  }
  for (const { kind, fromMs, toMs, site, rate } of scenario.troubles) {
    add(fromMs, `trouble begins: ${kind} (${rate}) at ${site ?? 'all'}`);
    add(toMs, `trouble ends: ${kind}`);
  }
  for (const { atMs, by, kind, pick, value } of scenario.acts) add(atMs, `${by}: ${kind} (${pick}, ${value})`);
  for (const { fromMs, toMs, site, number, method, path, result } of requests) {
    if (method === 'GET' && !/\/media\/\d+$/.test(path)) continue;
    add(fromMs, `${site}: request ${number}: ${method} ${path}`);
    if (toMs !== null) add(toMs, `${site}: request ${number}: ${result}`);
  }
  const changes = [...effects, ...collectionEffects.map((each) => ({ ...each, itemId: `collection ${each.id}` }))];
  for (const { atMs, by, itemId, field, before, after } of changes) {
    add(atMs, `library: ${by} changed ${field} of ${itemId}: “${before}” → “${after}”`);
  }
  for (const { atMs, site, groupId, items } of accepted)
    add(atMs, `${site}: group ${groupId.slice(0, 8)} of ${items} items`);
  for (const { atMs, site, seq, field, choice } of decisions)
    add(atMs, `${site}: ${choice} for ${field} of record ${seq}`);
  for (const { atMs, event, text } of faults) add(atMs, `FAULT ${event} ${text}`);
  for (const { site, records } of final.accounts) {
    for (const { seq, entityKind, entityId, state, error, ops, createdAt } of records) {
      add(
        final.atMs,
        `${site}: record ${seq} of ${entityKind} ${entityId}, made ${createdAt}, is ${state} ${error?.code ?? ''}: ${JSON.stringify(ops)}`,
      );
    }
  }
  return lines
    .map((line, index) => ({ ...line, index }))
    .sort((one, other) => one.atMs - other.atMs || one.index - other.index)
    .map(({ atMs, text }) => `${(atMs / 1000).toFixed(3).padStart(12)}  ${text}`);
}
