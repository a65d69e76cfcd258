// What an institution can do on this computer with one, two and four processes, and what limits it.
import { readdirSync, readFileSync } from 'node:fs';
import { Agent, request } from 'node:http';
import { median } from '../bench/report.ts';
import { sendForm } from '../helpers/service/service-client.ts';

/** What one kind of load reached. */
export interface Reached {
  perSecond: number;
  p50Ms: number;
  p95Ms: number;
  /** Answers that are no success. */
  failed: number;
  mibPerSecond: number;
  /** The part of the computer's processor time that each group of programs used, in percent. */
  processor: Record<string, number>;
}

export interface LoadOptions {
  clients: number;
  ms: number;
  baseUrl: string;
  token: string;
  /** Process ids of the service. */
  services: readonly number[];
}

interface Answer {
  status: number;
  text: string;
  location: string;
}

/** One turn of a client; resolves with the number of content bytes that it sent. */
export type Turn = (ask: Ask, turn: number) => Promise<number>;
export type Ask = (method: string, path: string, body?: unknown) => Promise<Answer>;

/** Lets clients take turns for some time, each as fast as it is answered. */
export async function reach(options: LoadOptions, turn: Turn): Promise<Reached> {
  const agent = new Agent({ keepAlive: true, maxSockets: options.clients });
  const times: number[] = [];
  let failed = 0;
  let bytes = 0;
  let next = 0;
  const ask: Ask = async (method, path, body) => {
    const answer = await asked(agent, new URL(path, options.baseUrl), options.token, method, body);
    if (answer.status >= 400) throw new Error(`${answer.status} of ${method} ${path}: ${answer.text.slice(0, 200)}`);
    return answer;
  };
  const before = processorTimes(options.services);
  const startedAt = performance.now();
  const endsAt = startedAt + options.ms;
  const client = async () => {
    while (performance.now() < endsAt) {
      const began = performance.now();
      try {
        bytes += await turn(ask, next++);
        times.push(performance.now() - began);
      } catch (error) {
        failed += 1;
        if (failed > 10_000) throw error;
      }
    }
  };
  await Promise.all(Array.from({ length: options.clients }, client));
  const seconds = (performance.now() - startedAt) / 1000;
  const after = processorTimes(options.services);
  agent.destroy();
  times.sort((a, b) => a - b);
  return {
    perSecond: times.length / seconds,
    p50Ms: median(times),
    p95Ms: times[Math.floor(times.length * 0.95)] ?? Number.NaN,
    failed,
    mibPerSecond: bytes / 2 ** 20 / seconds,
    processor: shares(before, after),
  };
}

/** Creates an item with a file, sends the file, and completes it. */
export async function sendFile(ask: Ask, title: string, bytes: Buffer): Promise<number> {
  const item = await ask('POST', '/api2/media', { title, collection_id: '1' });
  const name = `${title}.bin`;
  const file = await ask('POST', `${item.location}/files`, { upload_name: name, upload_size: bytes.length });
  const { upload } = JSON.parse(file.text);
  await succeeded(sendForm(upload, name, bytes));
  const completion = upload.protocols.form_data.postprocess_url;
  await succeeded(fetch(completion, { method: 'POST', body: new URLSearchParams() }));
  return bytes.length;
}

async function succeeded(sending: Promise<Response>): Promise<void> {
  const response = await sending;
  const text = await response.text();
  if (response.status >= 400) throw new Error(`${response.status} of an upload: ${text.slice(0, 200)}`);
}

/** A request with little work for this process, which shares the computer with the institution. */
function asked(agent: Agent, url: URL, token: string, method: string, body: unknown): Promise<Answer> {
  const text = body === undefined ? undefined : JSON.stringify(body);
  const headers = {
    authorization: `Bearer ${token}`,
    ...(text === undefined ? {} : { 'content-type': 'application/json', 'content-length': Buffer.byteLength(text) }),
  };
  return new Promise((resolve, reject) => {
    const outgoing = request(url, { method, headers, agent });
    outgoing.on('error', reject).on('response', (response) => {
      const parts: Buffer[] = [];
      response.on('error', reject);
      response.on('data', (part: Buffer) => parts.push(part));
      response.on('end', () => {
        const { location } = response.headers;
        resolve({
          status: response.statusCode ?? 0,
          text: Buffer.concat(parts).toString(),
          location: location === undefined ? '' : new URL(location, url).pathname,
        });
      });
    });
    outgoing.end(text);
  });
}

/** The groups of programs by the names of their processes. */
const GROUPS: Readonly<Record<string, string>> = {
  postgres: 'PostgreSQL',
  radosgw: 'object store',
  'ceph-osd': 'object store',
  'ceph-mon': 'object store',
  'ceph-mgr': 'object store',
  nginx: 'nginx',
};

/** Returns the ticks of processor time by group; `all` and `idle` are those of the computer. */
function processorTimes(services: readonly number[]): Map<string, number> {
  const found = new Map<string, number>();
  const add = (group: string, ticks: number) => found.set(group, (found.get(group) ?? 0) + ticks);
  for (const entry of readdirSync('/proc')) {
    if (!/^\d+$/.test(entry)) continue;
    const stat = statOf(entry);
    if (stat === null) continue;
    const end = stat.lastIndexOf(')');
    const name = stat.slice(stat.indexOf('(') + 1, end);
    const fields = stat.slice(end + 2).split(' ');
    const ticks = Number(fields[11]) + Number(fields[12]);
    if (services.includes(Number(entry))) add('service', ticks);
    else if (Number(entry) === process.pid) add('clients', ticks);
    else if (GROUPS[name] !== undefined) add(GROUPS[name], ticks);
  }
  const [first = ''] = readFileSync('/proc/stat', 'utf8').split('\n');
  const all = first.trim().split(/\s+/).slice(1, 9).map(Number);
  add(
    'all',
    all.reduce((sum, ticks) => sum + ticks, 0),
  );
  add('idle', (all[3] ?? 0) + (all[4] ?? 0));
  return found;
}

function statOf(pid: string): string | null {
  try {
    return readFileSync(`/proc/${pid}/stat`, 'utf8');
  } catch {
    // It ended meanwhile.
    return null;
  }
}

function shares(before: Map<string, number>, after: Map<string, number>): Record<string, number> {
  const grown = (group: string) => (after.get(group) ?? 0) - (before.get(group) ?? 0);
  const all = grown('all');
  const groups = [...after.keys()].filter((group) => group !== 'all');
  return Object.fromEntries(groups.map((group) => [group, Math.round((100 * grown(group)) / all)]));
}
