// The real engine as a separate process that makes collections and an upload offline, or sends them, and can be killed. JOB is its task,
// FAILPOINT (name:k[:before|after]) the point of the kill.
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { createEngine } from '../../../electron/engine/create-engine.ts';
import { silentLogger } from '../../../electron/engine/ports/logger.ts';
import { createFileKeychain } from '../../../electron/engine/ports/system/keychain-file.ts';
import { nodeClock } from '../../../electron/engine/ports/system/node-clock.ts';
import { nodeRandom } from '../../../electron/engine/ports/system/node-random.ts';
import { batchDefaultsSchema } from '../../../shared/contract/uploads.ts';
import { signingInAs } from '../../helpers/engine/engine-host.ts';
import { fastClock } from '../../helpers/time/fast-clock.ts';
import { PASSPHRASE } from '../engine/job.ts';
import { countingFailpoints, killThisProcess, parseFailpoint } from '../engine/killing-failpoints.ts';
import { NAMES, type NewCollectionsJob, type NewCollectionsReport, RENAMED } from './new-collections-job.ts';

/** The time within which all edits and the upload are sent; a process that takes longer is stuck. */
const SENT_WITHIN_MS = 60_000;
/** The speed of the clock: an upload waits for minutes before it repeats a creation that may have been received. */
const SPEED = 20;
const job = JSON.parse(process.env.JOB ?? '') as NewCollectionsJob;
const target = process.env.FAILPOINT === undefined ? null : parseFailpoint(process.env.FAILPOINT);
const { failpoints, passes } = countingFailpoints(target, killThisProcess);
const opener = signingInAs(job.site);
const engine = await createEngine({
  profileDir: job.profileDir,
  version: '0.0.0-torture',
  platform: process.platform,
  clock: fastClock(SPEED, job.epochMs),
  random: nodeRandom,
  logger: silentLogger,
  failpoints,
  keychain: createFileKeychain({
    path: join(job.profileDir, 'sign-ins.sealed'),
    passphrase: PASSPHRASE,
    random: nodeRandom,
    costLog2: 10,
  }),
  openers: { embedded: opener, system: opener },
  presets: { baseUrl: '', clientId: '' },
});
if (job.step === 'prepare') {
  const { baseUrl, clientId } = job.site;
  await engine.call('sites.signIn', { baseUrl, clientId, browser: 'embedded' });
} else if (job.step === 'make') await make();
else await send();
await engine.stop();
console.log(JSON.stringify({ passes: Object.fromEntries(passes) } satisfies NewCollectionsReport));
process.exit(0);

/** Creates everything that an earlier process has not stored. */
async function make(): Promise<void> {
  const siteId = await onlySite();
  const page = { groupId: null, filter: 'all', entityId: null, offset: 0, limit: 50 } as const;
  const { rows } = await engine.call('edits.groupRows', page);
  let parentId = job.parentId;
  for (const name of NAMES) {
    const made = rows.find((row) => row.name === name && row.changes.some(({ field }) => field === 'created'));
    const input = { siteId, parentId, displayName: name, isPodcast: false };
    parentId = made?.entityId ?? (await engine.call('library.createCollection', input)).id;
    if (name !== 'Middle') continue;
    const isRenamed = rows.some(({ changes }) => changes.some(({ field }) => field === 'display_name'));
    const rename = { patch: { display_name: RENAMED }, expected: { display_name: name } };
    if (!isRenamed) await engine.call('library.updateCollection', { siteId, collectionId: parentId, ...rename });
  }
  if ((await uploads()).length > 0) return;
  const defaults = batchDefaultsSchema.parse({});
  await engine.call('uploads.add', { siteId, collectionId: parentId, paths: [job.path], defaults });
}

async function send(): Promise<void> {
  engine.startEdits();
  engine.startUploads();
  const startedAt = nodeClock.monotonic();
  for (;;) {
    const { totals } = await engine.call('edits.groups', { siteId: null, isOpen: true, offset: 0, limit: 1 });
    const states = (await uploads()).map(({ state }) => state);
    const areSent = Object.values(totals).every((count) => count === 0);
    if (areSent && states.length === 1 && states[0] === 'complete') return;
    if (nodeClock.monotonic() - startedAt > SENT_WITHIN_MS) {
      throw new Error(`not sent: ${JSON.stringify({ totals, uploads: await uploads() })}`);
    }
    if (!areSent) await engine.call('edits.retry', { groupId: null, filter: 'open' });
    await sleep(20);
  }
}

async function uploads() {
  return (await engine.call('uploads.list', { filter: 'all', batchId: null, offset: 0, limit: 10 })).rows;
}

async function onlySite(): Promise<string> {
  const [site] = await engine.call('sites.list', null);
  if (site === undefined) throw new Error('no account is signed in');
  return site.id;
}
