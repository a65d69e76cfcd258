// 1,000 edits that were made without a network: how fast they are sent, beside the same changes as plain requests.
import type { BulkChange } from '../../../shared/contract/edits.ts';
import { mediaQuerySchema } from '../../../shared/contract/library.ts';
import { createTestProfile, signInEngine } from '../../helpers/engine/engine-host.ts';
import { clientFor } from '../../helpers/service/service-client.ts';
import { startService } from '../../helpers/service/service-process.ts';
import { atLeast, figure, report } from '../report.ts';

const ITEMS = 1000;

const service = await startService({ seed: `bulk:${ITEMS}:20` });
const profile = createTestProfile(service);
const engine = await profile.open();
try {
  const siteId = await signInEngine(engine, service);
  await engine.call('library.syncNow', { siteId });
  const query = mediaQuerySchema.parse({ siteId, sort: 'title', order: 'asc' });
  const change: BulkChange = {
    byline: { kind: 'set', value: 'Edited offline' },
    tags: { kind: 'change', add: ['offline'], remove: [] },
  };
  await engine.call('edits.apply', { selection: { siteId, query, except: [] }, change, label: 'All' });
  const seconds = await timed(async () => {
    engine.startEdits();
    await engine.whenEditsIdle();
  });
  const { groups } = await engine.call('edits.groups', { siteId: null, isOpen: false, offset: 0, limit: 1 });
  const { done = 0, pending = 0 } = groups[0]?.counts ?? {};
  if (done !== ITEMS || pending > 0) throw new Error(JSON.stringify(groups));

  const client = await clientFor(service);
  const ids = await client.get(`/api2/media?per_page=${ITEMS}`);
  const plainSeconds = await timed(async () => {
    for (const { id } of ids.body.items as { id: string }[]) {
      await client.post(`/api2/media/${id}`, { byline: 'Plain' });
      await client.post(`/api2/media/${id}/add-tags`, { tags: ['plain'] });
    }
  });
  report({
    scenario: 'edits-1000',
    about: `${ITEMS} items, a byline and a tag each; read, compared, sent and read again, one after another`,
    rows: [
      atLeast('edits sent after the network came back', ITEMS / seconds, 50, 'items/s', 0),
      figure('the same as two plain requests for each item', ITEMS / plainSeconds, 'items/s', 0),
    ],
  });
} finally {
  await engine.stop();
  profile.remove();
  await service.stop();
}

/** Returns the duration in seconds. */
async function timed(work: () => Promise<unknown>): Promise<number> {
  const startedAt = performance.now();
  await work();
  return (performance.now() - startedAt) / 1000;
}
