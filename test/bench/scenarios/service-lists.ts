// Lists of a large library, asked for by people who may see all of it, most of it and some of it: how long does one
// answer take, how many come in a second, and how long does the service take to start with it?
import { type ChildProcess, spawn } from 'node:child_process';
import { once } from 'node:events';
import { Agent, get } from 'node:http';
import { loadavg } from 'node:os';
import { join } from 'node:path';
import { text } from 'node:stream/consumers';
import type { ServiceProcess } from '../../helpers/service/service-process.ts';
import { signIn } from '../../helpers/service/service-sign-in.ts';
import { openLargeLibrary } from '../large-library.ts';
import { isQuick, MIB } from '../peers.ts';
import { atLeast, atMost, figure, median, type Row, report } from '../report.ts';
import type { Load, LoadOrder } from '../workers/list-load.ts';

const TIMES = isQuick ? 10 : 40;
const ROUNDS = isQuick ? 2 : 5;
const ROUND_S = isQuick ? 1 : 4;
const CONNECTIONS = 8;
/** So many different pages that those of one round are no longer kept in the next. */
const OTHERS = 5000;
/** An administrator, a reader of everything that is published, and two with roles here and there. */
const PEOPLE = ['admin', 'viewer', 'user7', 'user130'];
const WORDS = ['harbour', 'glacier', 'nebula', 'atom', 'willow', 'copper'];
const agent = new Agent({ keepAlive: true });

interface Person {
  token: string;
  /** Addresses of pages in the second half of what the user can see. */
  deep: string[];
}

/** The address of the `turn`-th request of a kind. */
type Kind = (turn: number, person: Person) => string;

const word = (turn: number): string => WORDS[turn % WORDS.length] ?? '';
const LISTS: Record<string, Kind> = {
  'first page': () => '/api2/media',
  'filtered page': (turn) =>
    [
      '/api2/media?type=video&status=published&sort=title',
      `/api2/media?tag=${word(turn)}&sort=created_on&order=desc`,
      `/api2/media?collection_id=${turn + 2}&joins=files,thumbs`,
      '/api2/media?status=draft&sort=modified_on&order=desc',
    ][turn % 4] ?? '',
  'full-text search': (turn) =>
    [
      `/api2/media?search=${word(turn)}%20${word(turn + 1)}`,
      `/api2/media?search=${word(turn)}`,
      `/api2/media?search=${word(turn).slice(0, 3)}&sort=relevance`,
    ][turn % 3] ?? '',
  related: (turn) => `/api2/media?related_to=${turn * 97 + 2}${turn % 2 === 0 ? '' : '&sort=relevance'}`,
  'deep page': (turn, { deep }) => deep[turn % deep.length] ?? '',
};
const TREE: Kind = () => '/api2/collections/tree?media_count=all&additive_counts=1';

const library = await openLargeLibrary();
const { service } = library;
let peer: ChildProcess | undefined;
try {
  const starts: number[] = [];
  for (let round = 0; round < ROUNDS; round += 1) starts.push(await startAgain(service));
  const people: Person[] = [];
  for (const name of PEOPLE) people.push(await personOf(name));

  const rows: Row[] = [];
  const sizes: number[] = [];
  for (const [name, kind] of Object.entries(LISTS)) {
    const { times, bytes } = await timesOf(kind, people);
    sizes.push(bytes);
    rows.push(
      atMost(`${name}: p95`, quantile(times, 0.95), 50, 'ms', 1),
      figure(`${name}: median`, median(times), 'ms', 1),
    );
  }
  const tree = await timesOf(TREE, people);
  rows.push(atMost('tree with counts: p95', quantile(tree.times, 0.95), 250, 'ms', 0));
  rows.push(figure('tree with counts: median', median(tree.times), 'ms', 0));
  rows.push(figure('tree with counts: size of the largest', tree.bytes / MIB, 'MiB', 2));

  peer = spawn(process.execPath, [worker('json-peer'), String(Math.round(median(sizes)))], {
    stdio: ['ignore', 'pipe', 'inherit'],
  });
  const [origin] = (await once(peer.stdout as NodeJS.ReadableStream, 'data')) as [Buffer];
  const peerTimes: number[] = [];
  for (let turn = 0; turn < TIMES * PEOPLE.length; turn += 1) {
    peerTimes.push((await timed(origin.toString().trim(), '/', '')).ms);
  }
  rows.push(figure('a bare server with the same JSON: p95', quantile(peerTimes, 0.95), 'ms', 1));

  const requests = people.flatMap((person) =>
    [
      '/api2/media',
      '/api2/media?_p=2',
      '/api2/media?sort=created_on&order=desc',
      '/api2/media?sort=title&type=audio',
    ].map((path) => ({ path, token: person.token })),
  );
  // Pages that nobody asked for before: no answer is kept. The service ignores this parameter.
  const others = Array.from({ length: OTHERS }, (_, index) => {
    const { path, token } = requests[index % requests.length] ?? { path: '', token: '' };
    return { path: `${path}${path.includes('?') ? '&' : '?'}turn=${index}`, token };
  });
  const ours: Load[] = [];
  const unkept: Load[] = [];
  const bare: Load[] = [];
  for (let round = 0; round < ROUNDS; round += 1) {
    ours.push(await loadOf(service.baseUrl, requests));
    unkept.push(await loadOf(service.baseUrl, others));
    bare.push(await loadOf(origin.toString().trim(), [{ path: '/', token: '' }]));
  }
  const perSecond = (loads: Load[]) => median(loads.map((load) => load.perSecond));
  rows.push(atLeast('equal lists per second, sustained', perSecond(ours), 500, '/s', 0));
  rows.push(figure('equal lists: p95 of an answer', median(ours.map((load) => load.p95Ms)), 'ms', 1));
  rows.push(figure('answers per second of the bare server', perSecond(bare), '/s', 0));
  const ratioOf = (loads: Load[]) =>
    median(loads.map((load, index) => load.perSecond / (bare[index]?.perSecond ?? Number.NaN)));
  rows.push(atLeast('equal lists per second, service : bare server', ratioOf(ours), 0.1, '', 3));
  rows.push(figure('lists per second that nobody asked for before', perSecond(unkept), '/s', 0));
  rows.push(figure('these, service : bare server', ratioOf(unkept), '', 3));
  rows.push(atMost('start, median', median(starts), 1000, 'ms', 0));
  rows.push(figure('start, shortest', Math.min(...starts), 'ms'));
  const peak = library.peakBytes();
  if (peak !== undefined) rows.push(figure('peak memory of the service', peak / MIB, 'MiB'));
  rows.push(figure('load average of the machine', loadavg()[0] ?? Number.NaN, '', 1));
  const about = `${library.about}; ${PEOPLE.join(', ')} in turns, ${TIMES} requests each; ${CONNECTIONS} connections for the load`;
  report({ scenario: 'service-lists', about, rows });
} finally {
  peer?.kill();
  agent.destroy();
  await library.remove();
}

function worker(name: string): string {
  return join(import.meta.dirname, '..', 'workers', `${name}.ts`);
}

/** From the program's start to the line that says that it listens, in ms. */
async function startAgain(running: ServiceProcess): Promise<number> {
  await running.kill9();
  const startedAt = performance.now();
  await running.restart();
  return performance.now() - startedAt;
}

async function personOf(name: string): Promise<Person> {
  const { access_token: token } = await signIn(service, { email: `${name}@library.example` });
  const { count } = JSON.parse((await timed(service.baseUrl, '/api2/media/count', token)).body) as { count: number };
  const { links } = JSON.parse((await timed(service.baseUrl, '/api2/media', token)).body) as {
    links: { next: string | null };
  };
  if (links.next === null) throw new Error(`${name} sees too little for a second page.`);
  const next = new URL(links.next, service.baseUrl);
  const last = Math.ceil(count / Number(next.searchParams.get('per_page')));
  const deep = [1, 0.9, 0.75, 0.6, 0.5].flatMap((part) =>
    ['publish_on', 'title'].map((sort) => {
      next.searchParams.set('_p', String(Math.max(2, Math.floor(last * part))));
      next.searchParams.set('sort', sort);
      return next.pathname + next.search;
    }),
  );
  return { token, deep };
}

/** Returns the time of each request in ms. The persons take turns; the first request of each is not counted. */
async function timesOf(kind: Kind, people: readonly Person[]): Promise<{ times: number[]; bytes: number }> {
  const times: number[] = [];
  let bytes = 0;
  for (let turn = -1; turn < TIMES; turn += 1) {
    for (const person of people) {
      const { ms, body } = await timed(service.baseUrl, kind(Math.max(0, turn), person), person.token);
      if (turn >= 0) times.push(ms);
      bytes = Math.max(bytes, body.length);
    }
  }
  return { times, bytes };
}

function timed(origin: string, path: string, token: string): Promise<{ ms: number; body: string }> {
  return new Promise((resolve, reject) => {
    const startedAt = performance.now();
    get(new URL(path, origin), { agent, headers: { authorization: `Bearer ${token}` } }, (response) => {
      text(response).then((body) => {
        const ms = performance.now() - startedAt;
        if (response.statusCode === 200) resolve({ ms, body });
        else reject(new Error(`${path}: ${response.statusCode} ${body.slice(0, 300)}`));
      }, reject);
    }).once('error', reject);
  });
}

async function loadOf(origin: string, requests: LoadOrder['requests']): Promise<Load> {
  const child = spawn(process.execPath, [worker('list-load')], { stdio: ['pipe', 'pipe', 'inherit'] });
  const order: LoadOrder = { origin, seconds: ROUND_S, connections: CONNECTIONS, requests };
  child.stdin.end(JSON.stringify(order));
  return JSON.parse(await text(child.stdout)) as Load;
}

function quantile(values: readonly number[], part: number): number {
  const sorted = [...values].sort((a, b) => a - b);
  return sorted[Math.min(sorted.length - 1, Math.floor(sorted.length * part))] ?? Number.NaN;
}
