// Uploads into the service, compared with the same uploads into minimal receivers: one that drops the bytes, and one that writes
// them to the same disk and waits for it, as the service has to.
import { type ChildProcess, spawn } from 'node:child_process';
import { once } from 'node:events';
import { closeSync, fsyncSync, mkdirSync, openSync, readdirSync, readFileSync, rmSync } from 'node:fs';
import { loadavg } from 'node:os';
import { join } from 'node:path';
import { text } from 'node:stream/consumers';
import { clientFor, type Descriptor, type ServiceClient } from '../helpers/service/service-client.ts';
import type { LargeLibrary } from './large-library.ts';
import { GIB, MIB } from './peers.ts';
import { atLeast, atMost, figure, median, type Row } from './report.ts';
import type { UploadOrder } from './workers/upload-load.ts';

export interface ReceiverLoad {
  /** Uploads at once. */
  parallel: number;
  /** Size of each of them. */
  sizeBytes: number;
  /** Measured rounds; two more warm up. */
  rounds: number;
}

const RECEIVERS = ['service', 'drop', 'write'] as const;
type Receiver = (typeof RECEIVERS)[number];
const NO_FIELDS = { fileParam: 'file', fields: {} };
const workers = join(import.meta.dirname, 'workers');

/** Measures the three receivers in alternation and returns the rows of a report: medians, and medians of paired ratios. */
export async function compareReceivers(library: LargeLibrary, load: ReceiverLoad): Promise<Row[]> {
  const { service } = library;
  const { parallel, sizeBytes, rounds } = load;
  // Beside the service's own files, so that it is the same disk.
  const folder = join(service.dataDir, 'peer');
  mkdirSync(folder);
  const peers: ChildProcess[] = [];
  try {
    const client = await clientFor(service);
    const itemPath = await client.createItem('Uploads');
    const drop = await startPeer('drop', folder);
    peers.push(drop.child);
    const write = await startPeer('write', folder);
    peers.push(write.child);
    const toPeer = (url: string) =>
      send(
        Array.from({ length: parallel }, () => ({ url, ...NO_FIELDS })),
        sizeBytes,
      );
    const senders: Record<Receiver, () => Promise<number>> = {
      service: () => intoService(client, itemPath, load),
      drop: () => toPeer(drop.url),
      write: async () => {
        const seconds = await toPeer(write.url);
        for (const name of readdirSync(folder)) rmSync(join(folder, name));
        return seconds;
      },
    };
    const pids: Record<Receiver, number> = {
      service: service.pid,
      drop: drop.child.pid ?? 0,
      write: write.child.pid ?? 0,
    };
    const seconds: Record<Receiver, number[]> = { service: [], drop: [], write: [] };
    const cpu: Record<Receiver, number[]> = { service: [], drop: [], write: [] };
    for (let round = -2; round < rounds; round += 1) {
      for (let turn = 0; turn < RECEIVERS.length; turn += 1) {
        const name = RECEIVERS[(turn + round + 2) % RECEIVERS.length] ?? 'service';
        settle(service.dataDir);
        const cpuBefore = cpuSeconds(pids[name]);
        const took = await senders[name]();
        if (round < 0) continue;
        seconds[name].push(took);
        cpu[name].push((cpuSeconds(pids[name]) - cpuBefore) / ((parallel * sizeBytes) / GIB));
      }
    }
    const speed = (name: Receiver) => median(seconds[name].map((each) => (parallel * sizeBytes) / MIB / each));
    const ratio = (peer: Receiver) => median(seconds.service.map((own, round) => (seconds[peer][round] ?? 0) / own));
    const rows: Row[] = [
      figure('service', speed('service'), 'MiB/s'),
      figure('bare receiver that drops', speed('drop'), 'MiB/s'),
      figure('bare receiver that writes and waits for the disk', speed('write'), 'MiB/s'),
      atLeast('service : receiver that drops', ratio('drop'), 0.7),
      figure('service : receiver that writes', ratio('write'), '', 2),
      figure('service: CPU', median(cpu.service), 's/GiB', 2),
      figure('bare receiver that drops: CPU', median(cpu.drop), 's/GiB', 2),
      figure('bare receiver that writes: CPU', median(cpu.write), 's/GiB', 2),
    ];
    const peak = library.peakBytes();
    if (peak !== undefined) rows.push(atMost('peak memory of the service', peak / MIB, 250, 'MiB', 0));
    rows.push(figure('load average of the machine', loadavg()[0] ?? Number.NaN, '', 1));
    return rows;
  } finally {
    for (const peer of peers) peer.kill();
  }
}

/** Waits until the disk has finished the work of deleted files, so that the next receiver is not measured with it. */
function settle(folder: string): void {
  const fd = openSync(folder, 'r');
  fsyncSync(fd);
  closeSync(fd);
}

/** CPU seconds of a process with all its threads so far; NaN where the system does not report them. */
function cpuSeconds(pid: number): number {
  if (process.platform !== 'linux') return Number.NaN;
  const fields = readFileSync(`/proc/${pid}/stat`, 'latin1').split(') ')[1]?.split(' ') ?? [];
  return (Number(fields[11]) + Number(fields[12])) / 100;
}

async function startPeer(kind: 'drop' | 'write', folder: string): Promise<{ child: ChildProcess; url: string }> {
  const child = spawn(process.execPath, [join(workers, 'form-peer.ts'), kind, folder], {
    stdio: ['ignore', 'pipe', 'inherit'],
  });
  const [url] = (await once(child.stdout, 'data')) as [Buffer];
  return { child, url: url.toString().trim() };
}

/** Sends new files at once and deletes them again. Only the sending counts. */
async function intoService(client: ServiceClient, itemPath: string, load: ReceiverLoad): Promise<number> {
  const paths: string[] = [];
  const uploads: UploadOrder['uploads'] = [];
  for (let count = 0; count < load.parallel; count += 1) {
    const { status, location, body } = await client.post(`${itemPath}/files`, {
      upload_name: 'recording.bin',
      upload_size: load.sizeBytes,
      type: 'blob',
    });
    if (status !== 201) throw new Error(`The file was not created: ${status}`);
    const { upload_url, upload_file_param, upload_post_params } = (body.upload as Descriptor).protocols.form_data;
    uploads.push({ url: upload_url, fileParam: upload_file_param, fields: upload_post_params });
    paths.push(location);
  }
  const seconds = await send(uploads, load.sizeBytes);
  for (const path of paths) await client.delete(path);
  return seconds;
}

async function send(uploads: UploadOrder['uploads'], sizeBytes: number): Promise<number> {
  const child = spawn(process.execPath, [join(workers, 'upload-load.ts')], { stdio: ['pipe', 'pipe', 'inherit'] });
  const order: UploadOrder = { sizeBytes, uploads };
  child.stdin.end(JSON.stringify(order));
  return (JSON.parse(await text(child.stdout)) as { seconds: number }).seconds;
}
