// What do metrics cost? The same requests to two services, with and without them, in short turns: without, with, with, without. The
// processor time of a request is compared, not requests a second: other programs change the latter. Both services are in one
// process, because two processes of one program differ by more than is looked for.
import { type ChildProcess, spawn } from 'node:child_process';
import { once } from 'node:events';
import { readdirSync, readFileSync } from 'node:fs';
import { Agent, get } from 'node:http';
import { loadavg } from 'node:os';
import { join } from 'node:path';
import { signIn } from '../../helpers/service/service-sign-in.ts';
import { isQuick } from '../peers.ts';
import { atMost, figure, median, type Row, report } from '../report.ts';
import type { ServicePair } from '../workers/service-pair.ts';

const PROCESSES = isQuick ? 1 : 4;
const TURNS = isQuick ? 30 : 100;
const WARM_UP = 4000;
const SCRAPES = 40;
/** How often Prometheus asks by default, in s. */
const SCRAPE_EVERY_S = 15;
const CONNECTIONS = 4;
/** The cheapest request of the API that needs a token, to which metrics add the largest part, and a usual one; requests of a turn. */
const KINDS = { 'an item': ['/api2/media/1', 250], 'a list': ['/api2/media?_p=2', 50] } as const;
type Kind = keyof typeof KINDS;

interface Side {
  baseUrl: string;
  operationsUrl: string;
  token: string;
  pid: number;
}

const agent = new Agent({ keepAlive: true, maxSockets: CONNECTIONS });
const found: Record<Kind, { off: number; on: number }[]> = { 'an item': [], 'a list': [] };
const scrapeMs: number[] = [];
for (let count = 0; count < PROCESSES; count += 1) {
  const child = spawn(process.execPath, [join(import.meta.dirname, '..', 'workers', 'service-pair.ts')], {
    stdio: ['pipe', 'pipe', 'inherit'],
  });
  try {
    await measure(child);
  } finally {
    child.stdin.end();
    await once(child, 'exit');
  }
}
agent.destroy();

const scrape = median(scrapeMs);
const rows = (Object.keys(KINDS) as Kind[]).flatMap((kind): Row[] => {
  const turns = found[kind];
  const ratio = median(turns.map(({ on, off }) => on / off));
  return [
    atMost(`${kind}: processor time with metrics, more than without`, 100 * (ratio - 1), 2, '%', 2),
    figure(`${kind}: standard error of it`, 100 * errorOfMedian(turns.map(({ on, off }) => on / off)), '%', 2),
    figure(`${kind}: processor time without metrics`, median(turns.map(({ off }) => off)), 'µs', 1),
    figure(`${kind}: added`, median(turns.map(({ on, off }) => on - off)), 'µs', 2),
  ];
});
report({
  scenario: 'service-metrics',
  about:
    `GET over ${CONNECTIONS} connections, processor time of all threads of the service; ${PROCESSES} processes, ` +
    `${TURNS} × 4 turns of ${KINDS['an item'][1]} items and ${KINDS['a list'][1]} lists in each`,
  rows: [
    ...rows,
    figure('a scrape', scrape, 'ms', 1),
    figure(`scrapes each ${SCRAPE_EVERY_S} s, of one core`, (100 * scrape) / 1000 / SCRAPE_EVERY_S, '%', 3),
    figure('load average of the machine', loadavg()[0] ?? Number.NaN, '', 1),
  ],
});

async function measure(child: ChildProcess): Promise<void> {
  const [line] = (await once(child.stdout as NodeJS.ReadableStream, 'data')) as [Buffer];
  const pair = JSON.parse(line.toString()) as ServicePair;
  const sides: Side[] = [];
  for (const { operationsUrl, ...target } of pair) {
    const { access_token: token } = await signIn(target);
    sides.push({ baseUrl: target.baseUrl, operationsUrl, token, pid: child.pid ?? 0 });
  }
  const [off, on] = sides as [Side, Side];
  for (const kind of Object.keys(KINDS) as Kind[]) {
    for (const side of [off, on]) await ask(side, kind, WARM_UP);
    for (let turn = 0; turn < TURNS; turn += 1) {
      const times = [await cost(off, kind), await cost(on, kind), await cost(on, kind), await cost(off, kind)] as const;
      found[kind].push({ off: (times[0] + times[3]) / 2, on: (times[1] + times[2]) / 2 });
    }
  }
  for (let turn = 0; turn < SCRAPES; turn += 1) {
    const before = processorMs(on.pid);
    await (await fetch(new URL('/metrics', on.operationsUrl))).text();
    scrapeMs.push(processorMs(on.pid) - before);
  }
}

/** The processor time of one of the requests of a turn, in µs. */
async function cost(side: Side, kind: Kind): Promise<number> {
  const [, requests] = KINDS[kind];
  const before = processorMs(side.pid);
  await ask(side, kind, requests);
  return ((processorMs(side.pid) - before) * 1000) / requests;
}

/** The processor time that the threads of a process have had, in ms, by the scheduler of Linux. */
function processorMs(pid: number): number {
  let ns = 0;
  for (const thread of readdirSync(`/proc/${pid}/task`)) {
    ns += Number(readFileSync(`/proc/${pid}/task/${thread}/schedstat`, 'utf8').split(' ')[0]);
  }
  return ns / 1e6;
}

async function ask({ baseUrl, token }: Side, kind: Kind, requests: number): Promise<void> {
  const url = new URL(KINDS[kind][0], baseUrl);
  const headers = { authorization: `Bearer ${token}` };
  let left = requests;
  const one = () =>
    new Promise<void>((resolve, reject) => {
      get(url, { agent, headers }, (response) => {
        if (response.statusCode !== 200) reject(new Error(`${url}: ${response.statusCode}`));
        response.on('data', () => {}).once('end', resolve);
      }).once('error', reject);
    });
  const worker = async () => {
    while (left > 0) {
      left -= 1;
      await one();
    }
  };
  await Promise.all(Array.from({ length: CONNECTIONS }, worker));
}

/** The standard error of the median of many values, by their quartiles, as if they were normally distributed. */
function errorOfMedian(values: readonly number[]): number {
  const sorted = [...values].sort((a, b) => a - b);
  const at = (part: number) => sorted[Math.floor((sorted.length - 1) * part)] ?? Number.NaN;
  return (1.2533 * ((at(0.75) - at(0.25)) / 1.349)) / Math.sqrt(sorted.length);
}
