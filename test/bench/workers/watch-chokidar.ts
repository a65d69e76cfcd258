// chokidar alone, with the names and facts of all files, as a program without a database would use it.
//   node watch-chokidar.ts < {"folder"}
import { once } from 'node:events';
import { text } from 'node:stream/consumers';
import { watch } from 'chokidar';
import { collectedHeap } from '../collected-heap.ts';

export interface ChokidarFindings {
  readyMs: number;
  cpuSeconds: number;
  heapBytes: number;
  files: number;
}

const { folder } = JSON.parse(await text(process.stdin)) as { folder: string };
const heapBefore = collectedHeap();
const known = new Map<string, number>();
const cpu = process.cpuUsage();
const startedAt = performance.now();
const watcher = watch(folder, { alwaysStat: true, followSymlinks: false, atomic: false });
watcher.on('add', (path, stats) => known.set(path, stats?.size ?? -1));
await once(watcher, 'ready');
const readyMs = performance.now() - startedAt;
const { user, system } = process.cpuUsage(cpu);
const heapBytes = collectedHeap() - heapBefore;
const findings: ChokidarFindings = { readyMs, cpuSeconds: (user + system) / 1e6, heapBytes, files: known.size };
await watcher.close();
console.log(JSON.stringify(findings));
process.exit(0);
