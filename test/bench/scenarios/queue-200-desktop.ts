// The same 200 files through the built app: delays of the real main process in a real Electron, with its window open.
import { launchApp } from '../../helpers/desktop/desktop-app.ts';
import { call, signIn } from '../../helpers/desktop/desktop-sign-in.ts';
import { startService } from '../../helpers/service/service-process.ts';
import { inDesktopSession } from '../desktop-session.ts';
import { startIdlePeer } from '../idle-peer.ts';
import { makeMixedFiles } from '../mixed-files.ts';
import { isQuick, MIB } from '../peers.ts';
import { atMost, figure, report } from '../report.ts';

await inDesktopSession(run);

async function run(): Promise<void> {
  const files = makeMixedFiles(isQuick ? 60 : 200);
  const service = await startService();
  const desktop = await launchApp();
  try {
    const { id: siteId } = await signIn(desktop, service);
    const ask = async <N extends Parameters<typeof call>[1]>(name: N, input: Parameters<typeof call>[2]) => {
      const reply = await call(desktop.window, name, input);
      if (!reply.ok) throw new Error(`${name}: ${JSON.stringify(reply.error)}`);
      return reply.value;
    };
    const [top] = await ask('library.collections', { siteId, parentId: null });
    const collection = { siteId, parentId: top?.id ?? '', displayName: 'Bench', isPodcast: false };
    const { id: collectionId } = await ask('library.createCollection', collection);
    const endIdlePeer = await startIdlePeer();
    await desktop.app.evaluate(() => {
      const { monitorEventLoopDelay } = process.getBuiltinModule('node:perf_hooks');
      const delay = monitorEventLoopDelay({ resolution: 1 });
      delay.enable();
      Object.assign(globalThis, { __benchDelay: delay });
    });
    const startedAt = performance.now();
    const { batchId } = await ask('uploads.add', { siteId, collectionId, paths: [files.folder] });
    // Polls inside the page, and rarely, so that the polls hardly influence what is measured.
    await desktop.window.evaluate(
      async ([id, count]) => {
        const { mediadesk } = globalThis as unknown as {
          mediadesk: {
            call(name: string, input: unknown): Promise<{ value: { totals: { complete: number; failed: number } } }>;
          };
        };
        for (;;) {
          const { totals } = (await mediadesk.call('uploads.receipt', { batchId: id })).value;
          if (totals.complete + totals.failed >= (count as number)) return;
          await new Promise((next) => setTimeout(next, 1000));
        }
      },
      [batchId, files.count] as const,
    );
    const seconds = (performance.now() - startedAt) / 1000;
    const delays = await desktop.app.evaluate(() => {
      const { __benchDelay: delay } = globalThis as unknown as {
        __benchDelay: { percentile(at: number): number; max: number };
      };
      return { p50: delay.percentile(50) / 1e6, p99: delay.percentile(99) / 1e6, max: delay.max / 1e6 };
    });
    const idleP99 = await endIdlePeer();
    const { totals } = await ask('uploads.receipt', { batchId });
    if (totals.complete !== files.count) throw new Error(`Not all are complete: ${JSON.stringify(totals)}`);
    report({
      scenario: 'queue-200-desktop',
      about: `${files.count} files, ${(files.totalBytes / MIB).toFixed(0)} MiB, the built app in a real Electron`,
      rows: [
        atMost('event-loop delay of the main process, p99', delays.p99, 20, 'ms', 1),
        figure('event-loop delay of an idle process beside it, p99', idleP99, 'ms', 1),
        figure('event-loop delay of the main process, p50', delays.p50, 'ms', 1),
        figure('event-loop delay of the main process, longest', delays.max, 'ms', 1),
        figure('from adding to complete', seconds, 's', 1),
      ],
    });
  } finally {
    await desktop.close();
    await service.stop();
    files.remove();
  }
}
