import { PassThrough } from 'node:stream';
import { text } from 'node:stream/consumers';
import { expect, it } from 'vitest';
import { Output } from '../../../electron/cli/output/output.ts';
import { queueGroups } from '../../../electron/cli/uploads/queue-groups.ts';
import { appError } from '../../../shared/contract/app-error.ts';
import type { AddUploadsOutput } from '../../../shared/contract/uploads.ts';

const batch = (batchId: string): AddUploadsOutput => ({
  batchId,
  added: 1,
  addedBytes: 1,
  skipped: [],
  skippedCount: 0,
  sidecars: 0,
  fallbackTitles: 0,
});
const queued = (batchId: string) => ({ collectionName: batchId, count: 1, add: async () => batch(batchId) });
const refused = (collectionName: string, error: Error) => ({
  collectionName,
  count: 2,
  add: () => Promise.reject(error),
});

async function queue(groups: Parameters<typeof queueGroups>[0], json: boolean) {
  const streams = { stdout: new PassThrough(), stderr: new PassThrough() };
  const result = await queueGroups(groups, new Output(streams, { json })).catch((thrown: unknown) => ({ thrown }));
  streams.stdout.end();
  streams.stderr.end();
  return { result, stdout: await text(streams.stdout), stderr: await text(streams.stderr) };
}

it('the command queues the files of the other collections when some fail, and reports each failed one', async () => {
  const failure = appError('collection.unknown');
  const groups = [queued('a'), refused('Mechanics', failure), queued('c'), refused('Optics', appError('internal'))];
  const { result, stderr } = await queue(groups, false);
  expect(result).toEqual({ added: [batch('a'), batch('c')], failure });
  expect(stderr).toContain('Failed: 2 files for “Mechanics”: ');
  expect(stderr).toContain('Failed: 2 files for “Optics”: ');
  const { stdout } = await queue(groups.slice(0, 2), true);
  expect(JSON.parse(stdout)).toMatchObject({
    notQueued: { collection: 'Mechanics', files: 2, error: { code: 'collection.unknown' } },
  });
});

it('the command throws the first error when nothing was queued', async () => {
  const [first, second] = [appError('collection.unknown'), appError('internal')];
  expect((await queue([refused('a', first), refused('b', second)], false)).result).toEqual({ thrown: first });
});

it('the command rethrows programming errors', async () => {
  const thrown = new TypeError('a mistake');
  expect((await queue([queued('a'), refused('b', thrown)], false)).result).toEqual({ thrown });
});
