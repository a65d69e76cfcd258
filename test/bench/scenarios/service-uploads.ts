// Eight uploads at once into the service with a large library, beside the same into bare receivers: one that drops the
// bytes, which is the measure, and one that writes them and waits for the disk, as the service has to.
import { type ChildProcess, spawn } from 'node:child_process';
import { once } from 'node:events';
import { closeSync, fsyncSync, mkdirSync, openSync, readdirSync, readFileSync, rmSync } from 'node:fs';
import { loadavg } from 'node:os';
import { join } from 'node:path';
import { text } from 'node:stream/consumers';
import { clientFor, type Descriptor, type ServiceClient } from '../../helpers/service-client.ts';
import { openLargeLibrary } from '../large-library.ts';
import { GIB, isQuick, MIB } from '../peers.ts';
import { atLeast, atMost, figure, median, type Row, report } from '../report.ts';
import type { UploadOrder } from '../workers/upload-load.ts';

const PARALLEL = 8;
const SIZE_BYTES = (isQuick ? 16 : 128) * MIB;
const ROUNDS = isQuick ? 3 : 5;
const workers = join(import.meta.dirname, '..', 'workers');

const library = await openLargeLibrary();
const { service } = library;
// Beside the service's own files, so that it is the same disk.
const peerFolder = join(service.dataDir, 'peer');
mkdirSync(peerFolder);
const peers: ChildProcess[] = [];
try {
  const client = await clientFor(service);
  const itemPath = await client.createItem('Uploads');
  const drop = await startPeer('drop');
  const write = await startPeer('write');
  const found = { service: [] as number[], drop: [] as number[], write: [] as number[] };
  const senders: Record<keyof typeof found, () => Promise<number>> = {
    service: () => intoService(client, itemPath),
    drop: () => send(Array.from({ length: PARALLEL }, () => ({ url: drop, fileParam: 'file', fields: {} }))),
    write: async () => {
      const seconds = await send(
        Array.from({ length: PARALLEL }, () => ({ url: write, fileParam: 'file', fields: {} })),
      );
      for (const name of readdirSync(peerFolder)) rmSync(join(peerFolder, name));
      return seconds;
    },
  };
  const cpu = { service: [] as number[], drop: [] as number[], write: [] as number[] };
  const pids = { service: service.pid, drop: peers[0]?.pid ?? 0, write: peers[1]?.pid ?? 0 };
  const names = Object.keys(senders) as (keyof typeof found)[];
  // Two rounds warm up what all share, and the code of each.
  for (let round = -2; round < ROUNDS; round += 1) {
    for (let turn = 0; turn < names.length; turn += 1) {
      const name = names[(turn + round + 2) % names.length] ?? 'service';
      settle(service.dataDir);
      const cpuBefore = cpuSeconds(pids[name]);
      const seconds = await senders[name]();
      if (round < 0) continue;
      found[name].push(seconds);
      cpu[name].push((cpuSeconds(pids[name]) - cpuBefore) / ((PARALLEL * SIZE_BYTES) / GIB));
    }
  }

  const speed = (name: keyof typeof found) => median(found[name].map((s) => (PARALLEL * SIZE_BYTES) / MIB / s));
  const ratio = (peer: 'drop' | 'write') => median(found.service.map((s, index) => (found[peer][index] ?? 0) / s));
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
  const about = `${PARALLEL} × ${SIZE_BYTES / MIB} MiB at once over loopback http, medians of ${ROUNDS} rounds; ${library.about}`;
  report({ scenario: 'service-uploads', about, rows });
} finally {
  for (const peer of peers) peer.kill();
  await library.remove();
}

/** Lets the disk do now what the files deleted before have left to do, so that it is not counted to whoever is next. */
function settle(folder: string): void {
  const fd = openSync(folder, 'r');
  fsyncSync(fd);
  closeSync(fd);
}

/** What a process has used so far, with all its threads; not a number where the system does not tell. */
function cpuSeconds(pid: number): number {
  if (process.platform !== 'linux') return Number.NaN;
  const fields = readFileSync(`/proc/${pid}/stat`, 'latin1').split(') ')[1]?.split(' ') ?? [];
  return (Number(fields[11]) + Number(fields[12])) / 100;
}

async function startPeer(kind: 'drop' | 'write'): Promise<string> {
  const child = spawn(process.execPath, [join(workers, 'form-peer.ts'), kind, peerFolder], {
    stdio: ['ignore', 'pipe', 'inherit'],
  });
  peers.push(child);
  const [url] = (await once(child.stdout, 'data')) as [Buffer];
  return url.toString().trim();
}

/** Eight new files, sent at once; they are deleted again. Only the sending counts. */
async function intoService(client: ServiceClient, itemPath: string): Promise<number> {
  const paths: string[] = [];
  const uploads: UploadOrder['uploads'] = [];
  for (let count = 0; count < PARALLEL; count += 1) {
    const { status, location, body } = await client.post(`${itemPath}/files`, {
      upload_name: 'recording.bin',
      upload_size: SIZE_BYTES,
      type: 'blob',
    });
    if (status !== 201) throw new Error(`The file was not created: ${status}`);
    const { upload_url, upload_file_param, upload_post_params } = (body.upload as Descriptor).protocols.form_data;
    uploads.push({ url: upload_url, fileParam: upload_file_param, fields: upload_post_params });
    paths.push(location);
  }
  const seconds = await send(uploads);
  for (const path of paths) await client.delete(path);
  return seconds;
}

async function send(uploads: UploadOrder['uploads']): Promise<number> {
  const child = spawn(process.execPath, [join(workers, 'upload-load.ts')], { stdio: ['pipe', 'pipe', 'inherit'] });
  const order: UploadOrder = { sizeBytes: SIZE_BYTES, uploads };
  child.stdin.end(JSON.stringify(order));
  return (JSON.parse(await text(child.stdout)) as { seconds: number }).seconds;
}
