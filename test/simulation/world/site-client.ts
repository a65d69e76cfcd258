import { classify } from '../../../electron/engine/api/classify.ts';
import {
  parseAnswer,
  type SiteAnswer,
  type SiteClient,
  type SiteRequest,
} from '../../../electron/engine/api/http-client.ts';
import { apiUrl, resolveLink } from '../../../electron/engine/api/links.ts';
import type { ServerClock } from '../../../electron/engine/api/server-clock.ts';
import { silentLogger } from '../../../electron/engine/ports/logger.ts';
import { type AppError, appError } from '../../../shared/contract/app-error.ts';
import type { Prng } from '../../helpers/data/prng.ts';
import { directConnections } from '../../helpers/engine/direct-network.ts';
import type { RequestFact } from '../history.ts';
import type { Fault } from '../scenario.ts';
import type { ModelAnswer } from './service-model.ts';
import type { Life, VirtualTime } from './virtual-time.ts';

/** The faults that are states of the world: they affect every request while they last. */
export type HeldFault = 'offline' | 'gateway' | 'maintenance' | 'signed-out' | 'keychain-locked';

/** The parts of the world that a simulated exchange needs. */
export interface WireWorld {
  readonly time: VirtualTime;
  readonly prng: Prng;
  readonly history: { readonly requests: RequestFact[] };
  readonly scenario: { readonly service: { retryAfterS?: number } };
  serverClock(site: string, life: Life): ServerClock;
  strikes(kind: Fault['kind'], site: string): boolean;
  holds(kind: HeldFault, site: string): boolean;
  errsNow(request: string): boolean;
  latencyMs(site: string): number;
  service(site: string): { answer(method: string, url: URL, body: unknown): ModelAnswer };
}

const baseUrlOf = (site: string) => `https://${site}.example`;

const GATEWAY_STATUSES = [502, 503, 504] as const;
const READ_TIMEOUT_MS = 30_000;
const WRITE_TIMEOUT_MS = 60_000;
/** A request that the client has aborted can take effect for this long after it was sent. */
const LINGERS_MS = 55_000;

/** The course of one exchange. `effectMs` and `replyMs` count from the sending; null: it never arrives. */
interface Fate {
  effectMs: number | null;
  replyMs: number;
  /** The error that the client gets instead of the service's answer. */
  fault: { kind: 'network'; code: string; sent: boolean } | { kind: 'status'; status: number } | 'garbled' | null;
}

/** The client of one simulated site. The production code creates all of its errors. */
export function simulatedClient(world: WireWorld, life: Life, site: string): SiteClient {
  const baseUrl = baseUrlOf(site);
  const serverClock = world.serverClock(site, life);
  const request = (asked: SiteRequest) => exchange(world, life, site, asked);
  return {
    baseUrl,
    contents: directConnections().pool(),
    logger: silentLogger,
    request,
    get: (target, query, signal) => request({ method: 'GET', target, ...(query && { query }), signal }),
    async read(schema, target, query, signal) {
      return parseAnswer(schema, await request({ method: 'GET', target, ...(query && { query }), signal }));
    },
    resolve: (link, from) => resolveLink(baseUrl, link, from),
    serverClock,
    reconnect: () => {},
    close: () => {},
  };
}

function exchange(world: WireWorld, life: Life, site: string, asked: SiteRequest): Promise<SiteAnswer> {
  // A dead process sends nothing, and its promises never settle.
  if (!life.alive) return new Promise(() => {});
  const url = typeof asked.target === 'string' ? apiUrl(baseUrlOf(site), asked.target) : new URL(asked.target);
  for (const [name, value] of Object.entries(asked.query ?? {})) {
    if (value !== null && value !== undefined && value !== '') url.searchParams.set(name, String(value));
  }
  const { method } = asked;
  const fact: RequestFact = {
    number: world.history.requests.length,
    site,
    life: life.number,
    method,
    path: url.pathname,
    fromMs: world.time.elapsedMs,
    toMs: null,
    result: 'open',
  };
  world.history.requests.push(fact);
  const serverClock = world.serverClock(site, life);
  let answer: ModelAnswer | null = null;
  return new Promise((resolve, reject) => {
    const settle = (result: string, then: () => void) => {
      if (fact.toMs !== null || !life.alive) return;
      fact.toMs = world.time.elapsedMs;
      fact.result = result;
      if (answer !== null) serverClock.observe({ date: answer.date }, fact.toMs - fact.fromMs);
      asked.signal?.removeEventListener('abort', giveUp);
      // The engine parses the tree in two turns of the event loop.
      if (fact.path.endsWith('/collections/tree')) world.time.letTurn();
      then();
    };
    const fail = (error: AppError) => settle(describe(error), () => reject(error));
    const giveUp = () => settle('given up', () => reject(asked.signal?.reason));
    if (asked.signal?.aborted) {
      giveUp();
      return;
    }
    asked.signal?.addEventListener('abort', giveUp, { once: true });
    if (world.holds('signed-out', site) && world.prng.chance(0.7)) {
      const error = appError('sign-in.required', { details: { outcome: 'not-sent' } });
      world.time.after(world.prng.int(0, 50), life, () => fail(error));
      return;
    }
    if (world.holds('keychain-locked', site) && world.prng.chance(0.7)) {
      const error = appError('keychain.locked', { details: { outcome: 'not-sent', lacks: 'token' } });
      world.time.after(world.prng.int(0, 50), life, () => fail(error));
      return;
    }
    const body = asked.json ?? asked.form;
    const name = `${site} ${method} ${url.href} ${body === undefined ? '' : JSON.stringify(body)}`;
    const fate: Fate = world.errsNow(name)
      ? { effectMs: null, replyMs: world.latencyMs(site), fault: { kind: 'status', status: 500 } }
      : fateOf(world, site, method);
    if (fate.effectMs !== null) {
      // Already sent: it takes effect even when the program has died, unless the connection died with it.
      const withTheConnection = world.prng.chance(0.5);
      world.time.after(fate.effectMs, null, () => {
        if (!life.alive && withTheConnection) return;
        answer = effect(world, site, method, url, asked);
      });
    }
    const isLenient = method === 'GET' || asked.target.toString().endsWith('/media');
    const isCut = fate.fault === 'garbled' && isLenient;
    world.time.after(fate.replyMs, life, () => {
      const where = { method, url, ownSite: true };
      if (isCut) {
        const broken = { method, status: 200, headers: {}, url, body: '{"items":', bodyFault: 'cut' } as const;
        settle('garbled', () => resolve(broken));
      } else if (fate.fault !== null) {
        fail(errorOf(fate.fault, where));
      } else if (answer === null) {
        fail(classify({ kind: 'network', ...where, code: 'ECONNRESET', phase: null, sent: true }));
      } else if (answer.status === 401 && !world.holds('signed-out', site)) {
        // Signed in meanwhile: like the real client, it uses the newer token and repeats the request once.
        settle('401, repeated', () => exchange(world, life, site, asked).then(resolve, reject));
      } else if (answer.status >= 300) {
        const contentType = 'application/json';
        fail(classify({ kind: 'status', ...where, contentType, retryAfter: null, ...answer }));
      } else {
        const reply = { method, url, ...replyOf(answer) };
        settle(String(reply.status), () => resolve(reply));
      }
    });
  });
}

function replyOf({
  status,
  body,
  location,
}: ModelAnswer): Pick<SiteAnswer, 'status' | 'headers' | 'body' | 'bodyFault'> {
  return { status, headers: location === undefined ? {} : { location }, body, bodyFault: null };
}

/** Returns the error of a request that a fault interrupted. */
function errorOf(fault: NonNullable<Fate['fault']>, where: { method: string; url: URL; ownSite: boolean }): AppError {
  if (fault === 'garbled') return classify({ kind: 'answer', ...where, status: 200, reason: 'garbled' });
  if (fault.kind === 'network') return classify({ ...where, phase: null, ...fault });
  return classify({ ...where, ...fault, contentType: 'text/html', body: '<p>Oh</p>', retryAfter: null });
}

/** Returns the effect of a request. The rules for the whole site precede the rules for the request. */
function effect(world: WireWorld, site: string, method: string, url: URL, asked: SiteRequest): ModelAnswer {
  if (world.holds('signed-out', site)) return { status: 401, body: '{"message":"Who are you?"}' };
  if (method !== 'GET' && world.holds('maintenance', site)) {
    const { retryAfterS = 0 } = world.scenario.service;
    const answer = { status: 503, body: '{"message":"The library is read-only for now."}' };
    return retryAfterS === 0 ? answer : { ...answer, retryAfter: String(retryAfterS) };
  }
  if (method === 'POST' && world.strikes('forbidden', site)) return { status: 403, body: '{"message":"No."}' };
  return world.service(site).answer(method, url, asked.json ?? asked.form);
}

function fateOf(world: WireWorld, site: string, method: string): Fate {
  const { prng } = world;
  const there = world.latencyMs(site);
  const back = there + world.latencyMs(site);
  const timeoutMs = method === 'GET' ? READ_TIMEOUT_MS : WRITE_TIMEOUT_MS;
  const reset = { kind: 'network', code: 'ECONNRESET', sent: true } as const;
  const timedOut = { kind: 'network', code: 'ETIMEDOUT', sent: true } as const;
  const status = () => ({ kind: 'status', status: prng.pick([500, 502, 503]) }) as const;

  if (world.holds('offline', site)) {
    const code = prng.pick(['ENOTFOUND', 'ECONNREFUSED', 'ENETUNREACH']);
    return { effectMs: null, replyMs: there, fault: { kind: 'network', code, sent: false } };
  }
  if (world.holds('gateway', site)) {
    return { effectMs: null, replyMs: back, fault: { kind: 'status', status: prng.pick(GATEWAY_STATUSES) } };
  }
  if (world.strikes('requests-lost', site)) {
    const waits = prng.chance(0.3);
    return { effectMs: null, replyMs: waits ? timeoutMs : there, fault: waits ? timedOut : reset };
  }
  if (world.strikes('replies-lost', site)) {
    const waits = prng.chance(0.3);
    return {
      effectMs: Math.min(there, LINGERS_MS),
      replyMs: waits ? timeoutMs : back,
      fault: waits ? timedOut : reset,
    };
  }
  if (world.strikes('late-effects', site)) {
    return { effectMs: prng.spread(1000, LINGERS_MS), replyMs: prng.int(1, 900), fault: reset };
  }
  if (world.strikes('faults-before', site)) return { effectMs: null, replyMs: back, fault: status() };
  if (world.strikes('faults-after', site)) return { effectMs: there, replyMs: back, fault: status() };
  if (world.strikes('garbled', site)) return { effectMs: there, replyMs: back, fault: 'garbled' };
  if (back >= timeoutMs) return { effectMs: Math.min(there, LINGERS_MS), replyMs: timeoutMs, fault: timedOut };
  return { effectMs: there, replyMs: back, fault: null };
}

function describe(error: AppError): string {
  return `${error.code} ${String(error.details?.status ?? error.details?.reason ?? '')}`.trim();
}
