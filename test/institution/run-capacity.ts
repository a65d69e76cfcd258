// npm run institution:capacity [-- --items N --clients N --seconds N --loads TEXT]
import { readFileSync } from 'node:fs';
import { parseArgs } from 'node:util';
import { type ServiceProcess, startService } from '../helpers/service/service-process.ts';
import { signIn } from '../helpers/service/service-sign-in.ts';
import { type LoadOptions, type Reached, reach, sendFile, type Turn } from './capacity.ts';
import { startInstitution } from './institution.ts';

const option = (value: string) => ({ type: 'string', default: value }) as const;
const { values } = parseArgs({
  options: { items: option('100000'), clients: option('50'), seconds: option('20'), loads: option('') },
});
const items = Number(values.items);
const seed = `bulk:${items}:${Math.ceil(items / 10)}` as const;
const SMALL = Buffer.alloc(20_000, 'small');
const LARGE = Buffer.alloc(64 * 2 ** 20, 'large');
let titles = 0;

/** Each load with the number of its clients; without: those of `--clients`. */
const LOADS: Record<string, { turn: Turn; clients?: number }> = {
  'new lists': { turn: list((turn) => `/api2/media?sort=title&turn=${turn}`) },
  'full-text searches': { turn: list((turn) => `/api2/media?search=harbour&turn=${turn}`) },
  'single items': { turn: list((turn) => `/api2/media/${1 + ((turn * 97) % items)}`) },
  edits: {
    async turn(ask, turn) {
      await ask('POST', `/api2/media/${1 + ((turn * 97) % items)}`, { byline: `byline ${turn}` });
      return 0;
    },
  },
  'uploads of 20 kB': { turn: (ask) => sendFile(ask, `small ${++titles}`, SMALL) },
  'uploads of 64 MiB': { turn: (ask) => sendFile(ask, `large ${++titles}`, LARGE), clients: 4 },
};

function list(path: (turn: number) => string): Turn {
  return async (ask, turn) => {
    await ask('GET', path(turn));
    return 0;
  };
}

async function measure(
  name: string,
  services: readonly ServiceProcess[],
  given: Pick<LoadOptions, 'baseUrl' | 'token'>,
) {
  for (const [load, { turn, clients }] of Object.entries(LOADS)) {
    if (!load.includes(values.loads)) continue;
    const reached = await reach(
      {
        ...given,
        clients: clients ?? Number(values.clients),
        ms: Number(values.seconds) * 1000,
        services: services.map(({ pid }) => pid),
      },
      turn,
    );
    print(name, load, reached, services);
  }
}

function print(name: string, load: string, reached: Reached, services: readonly ServiceProcess[]): void {
  const memory = services.map(({ pid }) => Math.round(residentBytes(pid) / 2 ** 20)).join(' + ');
  const { perSecond, p50Ms, p95Ms, failed, mibPerSecond, processor } = reached;
  const parts = Object.entries(processor).map(([group, percent]) => `${group} ${percent} %`);
  console.log(
    `| ${name} | ${load} | ${perSecond.toFixed(perSecond < 10 ? 1 : 0)} | ${mibPerSecond.toFixed(0)} | ${p50Ms.toFixed(1)} | ` +
      `${p95Ms.toFixed(1)} | ${failed} | ${memory} | ${parts.join(', ')} |`,
  );
}

function residentBytes(pid: number): number {
  return Number(/VmRSS:\s+(\d+) kB/.exec(readFileSync(`/proc/${pid}/status`, 'utf8'))?.[1]) * 1024;
}

async function tokenOf(service: Parameters<typeof signIn>[0] & { admin: { email_address: string; password: string } }) {
  const { email_address: email, password } = service.admin;
  return (await signIn(service, { email, password })).access_token;
}

console.log(`${items} items, ${values.clients} clients, ${values.seconds} s for each load`);
console.log('| Processes | Load | /s | MiB/s | p50 ms | p95 ms | failed | MiB of each process | processor time |');
console.log('| --- | --- | --- | --- | --- | --- | --- | --- | --- |');
const embedded = await startService({ seed });
try {
  await measure('1, SQLite and a drive', [embedded], { baseUrl: embedded.baseUrl, token: await tokenOf(embedded) });
} finally {
  await embedded.stop();
}
const institution = await startInstitution({ processes: 4, workers: 0, isLarge: true, seed });
try {
  const token = await tokenOf(institution);
  for (const count of [1, 2, 4]) {
    await institution.balance(count);
    await measure(`${count}`, institution.services.slice(0, count), { baseUrl: institution.baseUrl, token });
  }
} finally {
  await institution.stop();
}
