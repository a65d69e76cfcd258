// 200 files through the whole engine into the real service: how long is the engine's process ever kept from other work?
import { monitorEventLoopDelay } from 'node:perf_hooks';
import { batchDefaultsSchema } from '../../../shared/contract/uploads.ts';
import { createTestProfile, makeCollection, signInEngine } from '../../helpers/engine/engine-host.ts';
import { startService } from '../../helpers/service/service-process.ts';
import { startIdlePeer } from '../idle-peer.ts';
import { makeMixedFiles } from '../mixed-files.ts';
import { isQuick, MIB } from '../peers.ts';
import { atMost, figure, report } from '../report.ts';

const files = makeMixedFiles(isQuick ? 60 : 200);
const service = await startService();
const profile = createTestProfile(service);
const engine = await profile.open();
try {
  const siteId = await signInEngine(engine, service);
  const collectionId = await makeCollection(engine, siteId, 'Bench');
  // A screen would listen, too: its notifications are part of the work.
  let announcements = 0;
  engine.on('onDidChangeUploads', () => {
    announcements += 1;
  });
  const endIdlePeer = await startIdlePeer();
  const rssBefore = process.memoryUsage.rss();
  const delay = monitorEventLoopDelay({ resolution: 1 });
  const startedAt = performance.now();
  const cpuBefore = process.cpuUsage();
  delay.enable();
  const defaults = batchDefaultsSchema.parse({});
  const { batchId } = await engine.call('uploads.add', { siteId, collectionId, paths: [files.folder], defaults });
  engine.startUploads();
  await engine.whenUploadsIdle();
  delay.disable();
  const seconds = (performance.now() - startedAt) / 1000;
  const { user, system } = process.cpuUsage(cpuBefore);
  const idleP99 = await endIdlePeer();
  const { totals } = await engine.call('uploads.receipt', { batchId });
  if (totals.complete !== files.count) throw new Error(`Not all are complete: ${JSON.stringify(totals)}`);
  report({
    scenario: 'queue-200',
    about: `${files.count} files, ${(files.totalBytes / MIB).toFixed(0)} MiB, engine in plain Node, real service`,
    rows: [
      atMost('event-loop delay, p99', delay.percentile(99) / 1e6, 20, 'ms', 1),
      figure('event-loop delay of an idle process beside it, p99', idleP99, 'ms', 1),
      figure('event-loop delay, p50', delay.percentile(50) / 1e6, 'ms', 1),
      figure('event-loop delay, longest', delay.max / 1e6, 'ms', 1),
      figure('from adding to complete', seconds, 's', 1),
      figure('CPU of the engine', (user + system) / 1e6, 's', 1),
      figure('memory growth', (process.resourceUsage().maxRSS * 1024 - rssBefore) / MIB, 'MiB'),
      figure('announcements to a screen', announcements / seconds, '/s', 1),
    ],
  });
} finally {
  await engine.stop();
  await service.stop();
  profile.remove();
  files.remove();
}
