// The real engine as a separate process that can be killed. JOB is its task, FAILPOINT (name:k[:before|after]) the
// point of the kill.
import { appendFileSync, renameSync } from 'node:fs';
import { basename, join } from 'node:path';
import { createEngine } from '../../../electron/engine/create-engine.ts';
import type { Engine, EngineHost } from '../../../electron/engine/engine.ts';
import { createFileKeychain } from '../../../electron/engine/ports/system/keychain-file.ts';
import { nodeRandom } from '../../../electron/engine/ports/system/node-random.ts';
import { AppError } from '../../../shared/contract/app-error.ts';
import { signingInAs } from '../../helpers/engine/engine-host.ts';
import { fastClock } from '../../helpers/time/fast-clock.ts';
import { type Job, type JobReport, OWNER_BEGINS, OWNER_ENDS, PASSPHRASE, PROFILE_TAKEN } from './job.ts';
import { countingFailpoints, killThisProcess, parseFailpoint } from './killing-failpoints.ts';
import { Narrator } from './stories.ts';

const job = JSON.parse(process.env.JOB ?? '') as Job;
const target = process.env.FAILPOINT === undefined ? null : parseFailpoint(process.env.FAILPOINT);
const { failpoints, passes } = countingFailpoints(target, killThisProcess);
const opener = signingInAs(job.site);

const engine = await openUnlessTaken({
  profileDir: job.profileDir,
  version: '0.0.0-torture',
  platform: process.platform,
  clock: fastClock(job.speed, job.epochMs),
  random: nodeRandom,
  keychain: createFileKeychain({
    path: join(job.profileDir, 'sign-ins.sealed'),
    passphrase: PASSPHRASE,
    random: nodeRandom,
    costLog2: 10,
  }),
  logger: { debug: note, info: note, warn: note, error: note },
  openers: { embedded: opener, system: opener },
  presets: { baseUrl: '', clientId: '' },
  parallelTransfers: job.parallelTransfers,
  // Like the keychain above, this trash is a separate one: tests must not use those of the desktop.
  trash: async (path) => renameSync(path, join(job.places.trashed, basename(path))),
  failpoints,
  // Bulk commands run in slices.
  sliceRows: 1,
});

note(OWNER_BEGINS);
const narrator = new Narrator(engine, job);
await narrator.tell();
const { notices } = await engine.call('app.info', null);
const report: JobReport = {
  passes: Object.fromEntries(passes),
  signIns: narrator.signIns,
  notices: notices.map(({ code }) => code),
  rows: await narrator.rows(),
};
note(OWNER_ENDS);
await engine.stop();
console.log(JSON.stringify(report));

/** A profile in use is no failure of this process: it reports it by its exit code, as the command line does. */
async function openUnlessTaken(host: EngineHost): Promise<Engine> {
  try {
    return await createEngine(host);
  } catch (error) {
    if (!(error instanceof AppError) || error.code !== 'profile.in-use') throw error;
    process.exit(PROFILE_TAKEN);
  }
}

/** Prints an event immediately with its name, so that the last line before a kill is complete. */
function note(event: string, fields: Record<string, unknown> = {}): void {
  appendFileSync(`${job.profileDir}.log`, `${Date.now() % 1e6} ${process.pid} ${event} ${JSON.stringify(fields)}\n`);
}
