import { existsSync, readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { type ServiceProcess, startService } from '../../helpers/service/service-process.ts';
import { checkOutcome } from './check-outcome.ts';
import { type EngineCase, prepareCase, startLife, tailOfLog } from './engine-case.ts';
import { FAILPOINT_PLANS, type Story } from './failpoint-plans.ts';
import type { Job, JobReport } from './job.ts';
import { failpointText } from './killing-failpoints.ts';
import { DAMAGE } from './story-files.ts';

/** Effects that happen only after an earlier kill, with the failpoint of that kill. */
const PRELUDES: ReadonlyMap<string, string> = new Map([['journal.interrupted', 'send.first-bytes:1']]);

export interface FailpointCase {
  name: string;
  story: Story;
  phase: 'before' | 'after';
  round: number;
}

export interface CampaignReport {
  failpoints: number;
  kills: number;
  complete: number;
}

/** Returns every failpoint of the engine, or of one story, before and after, `rounds` times each. */
export function allFailpointCases(rounds: number, story?: Story): FailpointCase[] {
  const plans = [...FAILPOINT_PLANS].flatMap(([name, stories]) => stories.map((each) => ({ name, story: each })));
  return plans
    .filter((each) => story === undefined || each.story === story)
    .flatMap((plan) =>
      Array.from({ length: rounds }, (_, index) => index + 1).flatMap((round) =>
        (['before', 'after'] as const).map((phase) => ({ ...plan, phase, round })),
      ),
    );
}

/**
 * Kills the real engine at each of the failpoints, restarts it until its queue is idle, and compares the real service
 * with the disk. Round 1 kills it at the first occurrence of the effect, round 2 at the second, as far as the story
 * reaches it. Throws with all violated guarantees, and for a failpoint that no story reaches.
 */
export async function runFailpointCampaign(
  cases: readonly FailpointCase[],
  onProgress: (line: string) => void,
): Promise<CampaignReport> {
  const service = await startService();
  const report: CampaignReport = { failpoints: new Set(cases.map(({ name }) => name)).size, kills: 0, complete: 0 };
  const passes = new Map<Story, Record<string, number>>();
  const failures: string[] = [];
  const passesOf = async (story: Story, name: string): Promise<number> => {
    const known = passes.get(story) ?? (await countPasses(service, story));
    passes.set(story, known);
    return known[name] ?? 1;
  };
  try {
    for (const [index, each] of cases.entries()) {
      const { story } = each;
      const pass = each.round === 1 ? 1 : ((each.round - 1) % (await passesOf(story, each.name))) + 1;
      const failpoint = failpointText({ name: each.name, pass, phase: each.phase });
      try {
        const prelude = PRELUDES.get(each.name);
        const result = await runCase(service, story, failpoint, prelude).catch((error: unknown) => {
          if (pass === 1 || !(error instanceof NeverMet)) throw error;
          // The number of delays depends on timing: in this run, the story reached the failpoint less often.
          return runCase(service, story, failpointText({ name: each.name, pass: 1, phase: each.phase }), prelude);
        });
        report.kills += result.kills;
        report.complete += result.complete;
      } catch (error) {
        const failure = error instanceof Error ? error.message : String(error);
        failures.push(failure);
        // Printed immediately, because the campaign takes an hour and may be ended before it reports.
        onProgress(`broken: ${failpoint}\n${failure}`);
      }
      if ((index + 1) % 20 === 0) onProgress(`${index + 1} of ${cases.length} cases, ${report.kills} kills`);
    }
    if (failures.length > 0) throw new Error(failures.join('\n\n'));
    return report;
  } finally {
    await service.stop();
  }
}

/** Thrown when a story ended without reaching its failpoint. */
class NeverMet extends Error {}

/** The story without a kill, which must keep every guarantee, too. */
async function countPasses(service: ServiceProcess, story: Story): Promise<Record<string, number>> {
  const engineCase = await prepareCase(service, story);
  try {
    const report = await startLife(engineCase.job).ended;
    if (report === null) throw new Error(`${story}: killed by a signal of another process`);
    await assertKept(engineCase, report, story);
    return report.passes;
  } finally {
    engineCase.remove();
  }
}

async function runCase(service: ServiceProcess, story: Story, failpoint: string, prelude: string | undefined) {
  const engineCase = await prepareCase(service, story);
  const { job } = engineCase;
  try {
    let kills = 0;
    for (const point of prelude === undefined ? [failpoint] : [prelude, failpoint]) {
      if ((await startLife(job, point).ended) !== null) throw new NeverMet(`${story} never came to ${point}`);
      kills += 1;
    }
    const report = await startLife(job).ended;
    if (report === null) throw new Error(`${failpoint}: killed by a signal of another process`);
    const complete = await assertKept(engineCase, report, failpoint);
    return { kills, complete };
  } finally {
    engineCase.remove();
  }
}

async function assertKept(engineCase: EngineCase, report: JobReport, title: string): Promise<number> {
  const { job } = engineCase;
  const { broken, complete } = await checkOutcome(engineCase, report);
  if (job.story === 'damage') broken.push(...damageFaults(job, report));
  if (broken.length > 0) throw new Error(`${title}:\n${broken.join('\n')}\n${tailOfLog(job)}`);
  return complete;
}

/** An unreadable file is kept unchanged and reported to the user, however often the program was killed in between. */
function damageFaults({ profileDir }: Job, { notices }: JobReport): string[] {
  // The shared-memory index contains nothing that is not in the write-ahead log.
  const kept = readdirSync(profileDir).filter((name) => /^queue\.db\.damaged-.*(?<!-shm)$/.test(name));
  const faults = kept.length === 2 ? [] : [`${kept.length} files were set aside, not two`];
  for (const name of kept) {
    if (readFileSync(join(profileDir, name), 'utf8') !== DAMAGE) faults.push(`${name} is not what it was`);
  }
  if (!notices.includes('profile.damaged')) faults.push('no notice was shown');
  if (!existsSync(join(profileDir, 'queue.db'))) faults.push('there is no queue');
  return faults;
}
