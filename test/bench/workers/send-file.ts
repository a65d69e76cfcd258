// Sends files with the sender, all at once, and reports the cost. A process of its own, so that memory and CPU are the
// sender's.
//   node send-file.ts ADDRESS FILE… [--hash [--inline]] [--trust CERTIFICATE_FILE]
import { mkdtempSync, readFileSync, rmSync, truncateSync, writeFileSync } from 'node:fs';
import { Agent } from 'node:https';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { parseArgs } from 'node:util';
import { inlineHashes } from '../../../electron/engine/ports/hashes.ts';
import { nodeClock } from '../../../electron/engine/ports/system/node-clock.ts';
import { nodeFiles } from '../../../electron/engine/ports/system/node-files.ts';
import { HashThreads } from '../../../electron/engine/ports/system/node-hash-threads.ts';
import { nodeRandom } from '../../../electron/engine/ports/system/node-random.ts';
import { BandwidthLimit } from '../../../electron/engine/uploads/delivery/sender/bandwidth-limit.ts';
import { createSender } from '../../../electron/engine/uploads/delivery/sender/send-form.ts';
import { TransferGate } from '../../../electron/engine/uploads/delivery/sender/send-gate.ts';
import { senderConnections } from '../../helpers/engine/direct-network.ts';

const WARM_UP_BYTES = 128 * 1024 ** 2;

/** What the transfers took together. */
export interface Sent {
  seconds: number;
  cpuSeconds: number;
  /** How far memory rose above what the process held before its first transfer. */
  rssGrowthBytes: number;
  /** The most that the whole process held. */
  peakRssBytes: number;
}

const { positionals, values } = parseArgs({
  allowPositionals: true,
  options: {
    hash: { type: 'boolean', default: false },
    inline: { type: 'boolean', default: false },
    trust: { type: 'string' },
  },
});
const [address = '', ...paths] = positionals;

const sendForm = createSender(
  values.inline ? inlineHashes : new HashThreads({ clock: nodeClock, onLost: (reason) => console.error(reason) }),
);
const agent = values.trust === undefined ? undefined : new Agent({ ca: readFileSync(values.trust, 'utf8') });
const watch = watchMemory();
await warmUp();
const cpuBefore = process.cpuUsage();
const startedAt = performance.now();
await Promise.all(paths.map(send));
const seconds = (performance.now() - startedAt) / 1000;
const { user, system } = process.cpuUsage(cpuBefore);
const sent: Sent = {
  seconds,
  cpuSeconds: (user + system) / 1e6,
  rssGrowthBytes: watch.growthBytes(),
  peakRssBytes: process.resourceUsage().maxRSS * 1024,
};
console.log(JSON.stringify(sent));
process.exit(0);

async function send(from: string): Promise<void> {
  const file = await nodeFiles.open(from);
  await sendForm({
    url: new URL(address),
    fields: [['ticket', 'abc']],
    fileParam: 'file',
    fileName: 'recording.mp4',
    contentType: 'video/mp4',
    file,
    expected: await file.facts(),
    hash: values.hash,
    gate: new TransferGate(new BandwidthLimit(nodeClock)),
    signal: new AbortController().signal,
    onProgress: () => {},
    clock: nodeClock,
    random: nodeRandom,
    connections: senderConnections(agent),
  });
  await file.close();
}

/**
 * Sends one small file, so that the sender's code is compiled before it is measured, as in a program that runs all day. This
 * transfer counts for memory, but not for time and CPU.
 */
async function warmUp(): Promise<void> {
  const small = join(mkdtempSync(join(tmpdir(), 'mediadesk-bench-')), 'warm-up.mp4');
  writeFileSync(small, '');
  truncateSync(small, WARM_UP_BYTES);
  await send(small);
  rmSync(dirname(small), { recursive: true });
}

/** The peak above the present use: read from the kernel on Linux, sampled elsewhere. */
function watchMemory(): { growthBytes(): number } {
  const before = process.memoryUsage.rss();
  try {
    writeFileSync('/proc/self/clear_refs', '5'); // Forgets the peak so far.
    return {
      growthBytes: () => {
        const peak = /VmHWM:\s+(\d+) kB/.exec(readFileSync('/proc/self/status', 'utf8'))?.[1];
        return Number(peak) * 1024 - before;
      },
    };
  } catch {
    let peak = before;
    const timer = setInterval(() => {
      peak = Math.max(peak, process.memoryUsage.rss());
    }, 20);
    timer.unref();
    return { growthBytes: () => Math.max(peak, process.memoryUsage.rss()) - before };
  }
}
