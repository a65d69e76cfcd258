// The real engine as a separate process that edits every item of a library and can be killed. JOB is its task.
import { writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { createEngine } from '../../../electron/engine/create-engine.ts';
import { silentLogger } from '../../../electron/engine/ports/logger.ts';
import { createFileKeychain } from '../../../electron/engine/ports/system/keychain-file.ts';
import { nodeClock } from '../../../electron/engine/ports/system/node-clock.ts';
import { nodeRandom } from '../../../electron/engine/ports/system/node-random.ts';
import { toAppError } from '../../../shared/contract/app-error.ts';
import { mediaQuerySchema } from '../../../shared/contract/library.ts';
import { signingInAs } from '../../helpers/engine/engine-host.ts';
import { PASSPHRASE } from '../engine/job.ts';
import type { BulkEditJob, BulkEditReport } from './bulk-edit-job.ts';
import { editedRows } from './edited-rows.ts';

const job = JSON.parse(process.env.JOB ?? '') as BulkEditJob;
const opener = signingInAs(job.site);
const engine = await createEngine({
  profileDir: job.profileDir,
  version: '0.0.0-torture',
  platform: process.platform,
  clock: nodeClock,
  random: nodeRandom,
  keychain: createFileKeychain({
    path: join(job.profileDir, 'sign-ins.sealed'),
    passphrase: PASSPHRASE,
    random: nodeRandom,
    costLog2: 10,
  }),
  logger: silentLogger,
  openers: { embedded: opener, system: opener },
  presets: { baseUrl: '', clientId: '' },
});

const { baseUrl, clientId } = job.site;
/** Returns the account. A process that is killed while it renews its sign-in can lose it. */
async function signedIn() {
  const [known] = await engine.call('sites.list', null);
  if (known?.state === 'signed-in') return known;
  return engine.call('sites.signIn', { baseUrl, clientId, browser: 'embedded' });
}
const site = await signedIn();
const groups = async () =>
  (await engine.call('edits.groups', { siteId: null, isOpen: false, offset: 0, limit: 10 })).groups;

// Work of an earlier process is continued, not repeated.
const earlier = await groups();
const isBegun = job.step === 'apply' ? earlier.length > 0 : earlier.some(({ undoes }) => undoes !== null);
if (!isBegun && job.step === 'apply') {
  const query = mediaQuerySchema.parse({ siteId: site.id, sort: 'title', order: 'asc' });
  const selection = { siteId: site.id, query, except: [] };
  if (job.source === 'selection') {
    await engine.call('edits.apply', { selection, change: job.change, label: 'All' });
  } else {
    const path = join(job.profileDir, 'items.csv');
    await engine.call('manifest.export', { selection, path, format: 'csv', protects: true, timeZone: 'UTC' });
    await writeFile(path, await editedRows(path));
    const { manifestId, mapping } = await engine.call('manifest.open', { path, encoding: null, separator: null });
    const ref = { manifestId, siteId: site.id, mapping, timeZone: 'UTC' };
    const { planId, badRows } = await engine.call('manifest.check', ref);
    if (badRows > 0) throw new Error(`${badRows} rows of the spreadsheet are wrong`);
    await engine.call('edits.apply', { planId, except: [], label: 'All' });
  }
}
/** Whether the undo is one that the start of the engine completes, because the end of the last process interrupted it. */
let isCompleting = false;
if (!isBegun && job.step === 'undo') {
  await engine.call('edits.undo', { groupId: earlier[0]?.id ?? '' }).catch((error: unknown) => {
    if (toAppError(error).code !== 'edit.cant-undo') throw error;
    isCompleting = true;
  });
}

const startedAt = performance.now();
const before = (await groups())[0]?.counts.pending ?? 0;
let events = 0;
let onChange = () => {};
engine.on('onDidChangeEdits', ({ groups: [newest] }) => {
  events += 1;
  onChange();
  if (newest !== undefined) console.log(`pending ${newest.counts.pending}`);
});
engine.startEdits();
console.log(`pending ${before}`);
// `whenEditsIdle` also resolves without a sign-in or a connection, which can fail on a busy computer: the counts decide.
for (;;) {
  const changed = new Promise<void>((resolve) => {
    onChange = resolve;
  });
  await engine.whenEditsIdle();
  const [newest] = await groups();
  const isComplete = !isCompleting || newest?.undoes !== null;
  if (isComplete && (newest?.counts.pending ?? 0) === 0) break;
  await signedIn();
  await changed;
}
const seconds = (performance.now() - startedAt) / 1000;
const report: BulkEditReport = { groups: await groups(), sent: before, seconds, events };
await engine.stop();
console.log(JSON.stringify(report));
