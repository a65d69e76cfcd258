// The copy of a large library: the times of its creation, of passes that update it, of lists and of searches.
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { clearJournal, journalOf } from '../helpers/service/journal.ts';
import { clientFor } from '../helpers/service/service-client.ts';
import { type LibrarySize, openLargeLibrary } from './large-library.ts';
import { orderWorker } from './order-worker.ts';
import { MIB } from './peers.ts';
import { atLeast, atMost, figure, report } from './report.ts';
import type { MirrorFindings, MirrorOrder } from './workers/mirror-engine.ts';

const CHANGES = 10;

/** Measures the copy of a library of this size, and prints the report of the scenario. */
export async function reportMirror(scenario: string, size?: LibrarySize): Promise<void> {
  const library = await openLargeLibrary(size);
  const { service } = library;
  const profileDir = mkdtempSync(join(tmpdir(), 'mediadesk-bench-profile-'));
  try {
    const { baseUrl, clientId, admin } = service;
    const order = (task: MirrorOrder['task']) =>
      orderWorker<MirrorFindings>('mirror-engine.ts', {
        task,
        profileDir,
        target: { baseUrl, clientId, admin },
      } satisfies MirrorOrder);
    const requests = async () => (await journalOf(service)).filter(({ path }) => path?.startsWith('/api2/')).length;

    const first = await order('first');
    const started = await order('start');
    const typed = await order('type');
    const client = await clientFor(service);
    const ids = ((await client.get(`/api2/media?per_page=${CHANGES}&_p=50`)).body.items as { id: string }[]).map(
      ({ id }) => id,
    );
    for (const id of ids) await client.post(`/api2/media/${id}`, { title: `changed ${id}` });
    const changed = await order('pass');
    const idle = await order('pass');
    await client.delete(`/api2/media/${ids[0]}`);
    await clearJournal(service);
    const deleted = await order('pass');
    const deletionRequests = await requests();
    report({
      scenario,
      about: `${library.about}; the copy of an administrator`,
      rows: [
        atLeast('first sync', first.items / (first.ms / 1000), 5000, 'items/s', 0),
        figure('first sync, in all', first.ms / 1000, 's', 1),
        figure('processor time of the engine for it', first.cpuSeconds, 's', 1),
        atMost('event-loop delay during it, p99', first.loopP99Ms, 20, 'ms', 1),
        figure('event-loop delay during it, longest', first.loopMaxMs, 'ms', 1),
        atMost('peak memory', first.peakBytes / MIB, 300, 'MiB', 0),
        atMost(`sync of ${CHANGES} changes`, changed.ms, 300, 'ms', 0),
        figure('sync without changes', idle.ms, 'ms', 0),
        atMost('requests until a deletion is found', deletionRequests, 20),
        figure('sync with a deletion', deleted.ms, 'ms', 0),
        atMost('from the start of the process to the first list', started.ms / 1000, 1, 's'),
        ...Object.entries(typed.queries).map(([name, ms]) => atMost(name, ms, 50, 'ms', 1)),
        ...Object.entries(typed.calendars).map(([name, ms]) => atMost(name, ms, 100, 'ms', 1)),
      ],
    });
  } finally {
    rmSync(profileDir, { recursive: true, force: true });
    await library.remove();
  }
}
