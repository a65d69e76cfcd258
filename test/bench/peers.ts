// The programs that are compared: each sends the same file to the same sink, in a process of its own.
import { spawnSync } from 'node:child_process';
import { mkdtempSync, rmSync, truncateSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import type { NativeTools } from './native-tools.ts';
import { median } from './report.ts';
import type { Sent } from './workers/send-file.ts';

export const MIB = 1024 ** 2;
export const GIB = 1024 ** 3;

export const isQuick = process.argv.includes('--quick');

/** The time and the CPU time of one round of a peer. */
export type Round = Pick<Sent, 'seconds' | 'cpuSeconds'> & Partial<Sent>;

export interface Peer {
  name: string;
  send(): Promise<Round>;
}

/** Creates a sparse file: its zeros come from memory, so that the disk is not part of the measurement. */
export function sparseFile(sizeBytes: number): { path: string; remove(): void } {
  const folder = mkdtempSync(join(tmpdir(), 'mediadesk-bench-'));
  const path = join(folder, 'recording.mp4');
  writeFileSync(path, '');
  truncateSync(path, sizeBytes);
  return { path, remove: () => rmSync(folder, { recursive: true }) };
}

export function hasCurl(): boolean {
  return spawnSync('curl', ['--version']).status === 0;
}

const worker = join(import.meta.dirname, 'workers', 'send-file.ts');
// The app runs compiled: the memory for removing types must not count for the sender.
process.env.NODE_COMPILE_CACHE ??= join(tmpdir(), 'mediadesk-bench-compiled');

/** Our sender, warmed up by 128 MiB. Time and CPU are the transfer's, without the start of its process. */
export function sender(tools: NativeTools, url: URL, path: string | string[], ...options: string[]): Peer {
  return {
    name: nameOf(options),
    async send() {
      const { stdout } = await tools.measure([process.execPath, worker, url.href, ...[path].flat(), ...options]);
      return JSON.parse(stdout) as Sent;
    },
  };
}

function nameOf(options: readonly string[]): string {
  if (!options.includes('--hash')) return 'sender';
  return options.includes('--inline') ? 'sender with SHA-256 inline' : 'sender with SHA-256';
}

/** curl -F. Time by its own count, CPU by the kernel's for the whole process, which starts in a few milliseconds. */
export function curl(tools: NativeTools, url: URL, path: string, ...options: string[]): Peer {
  return {
    name: 'curl -F',
    async send() {
      const form = ['-F', 'ticket=abc', '-F', `file=@${path};filename=recording.mp4;type=video/mp4`];
      const quiet = ['-sS', '--fail', '-o', '/dev/null', '-w', '%{time_total}'];
      const { stdout, cpuSeconds } = await tools.measure(['curl', '-q', ...quiet, ...options, ...form, url.href]);
      return { seconds: Number(stdout), cpuSeconds };
    },
  };
}

/** curl -F and sha256sum of the same file: one after the other, or at the same time. */
export function curlAndSha256sum(tools: NativeTools, url: URL, path: string, when: 'then' | 'beside'): Peer {
  const peer = curl(tools, url, path);
  const sha256sum = async (): Promise<Round> => {
    const startedAt = performance.now();
    const { cpuSeconds } = await tools.measure(['sha256sum', path]);
    return { seconds: (performance.now() - startedAt) / 1000, cpuSeconds };
  };
  return {
    name: `curl -F ${when} sha256sum`,
    async send() {
      const hashing = when === 'beside' ? sha256sum() : null;
      const sent = await peer.send();
      const hashed = await (hashing ?? sha256sum());
      const seconds = hashing ? Math.max(sent.seconds, hashed.seconds) : sent.seconds + hashed.seconds;
      return { seconds, cpuSeconds: sent.cpuSeconds + hashed.cpuSeconds };
    },
  };
}

/** Runs every peer once in each round, each time in another order. Returns the rounds by the name of the peer. */
export async function alternate(peers: readonly Peer[], rounds: number): Promise<Map<string, Round[]>> {
  const found = new Map<string, Round[]>(peers.map(({ name }) => [name, []]));
  // One round to warm up what all share: the file's pages, the sink.
  for (const peer of peers) await peer.send();
  for (let round = 0; round < rounds; round += 1) {
    for (let turn = 0; turn < peers.length; turn += 1) {
      const peer = peers[(turn + round) % peers.length];
      if (peer) found.get(peer.name)?.push(await peer.send());
    }
  }
  return found;
}

/** Median of MiB a second. */
export function speedOf(found: Map<string, Round[]>, name: string, sizeBytes: number): number {
  return median((found.get(name) ?? []).map(({ seconds }) => sizeBytes / MIB / seconds));
}

/** The median of one peer's value divided by that of the other in the same round: both had the same load of the computer. */
export function pairedRatio(
  found: Map<string, Round[]>,
  above: string,
  below: string,
  figure: 'seconds' | 'cpuSeconds',
): number {
  const others = found.get(below) ?? [];
  return median(
    (found.get(above) ?? []).map((round, index) => round[figure] / (others[index]?.[figure] ?? Number.NaN)),
  );
}
