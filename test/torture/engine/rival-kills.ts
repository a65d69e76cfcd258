import { appendFileSync, readFileSync } from 'node:fs';
import { startCli } from '../../helpers/cli/cli.ts';
import type { Prng } from '../../helpers/data/prng.ts';
import { startService } from '../../helpers/service/service-process.ts';
import { withSeed } from '../with-seed.ts';
import { checkOutcome, databaseFaults } from './check-outcome.ts';
import { type EngineCase, ProfileTaken, prepareCase, startLife, tailOfLog } from './engine-case.ts';
import { type JobReport, OWNER_BEGINS, OWNER_ENDS } from './job.ts';

export interface RivalKillReport {
  kills: number;
  files: number;
  complete: number;
  /** The number of processes that found the profile in use. */
  refused: number;
  /** The number of engines that used the profile, one after the other. */
  owners: number;
}

const OWNER_KILLED = 'owner.killed';
const MOST_AT_ONCE = 4;
const LONGEST_PAUSE_MS = 250;
const LARGEST_BYTES = 60_000;

/** A process on the profile, with its state in the campaign. */
interface Rival {
  isWorking: boolean;
  wasKilled: boolean;
  kill(): void;
  /** Never rejects: failures are recorded. */
  ended: Promise<void>;
}

/**
 * Uploads `files` files while engines and command lines are started on one profile, and killed, at random times. Throws
 * unless only one process at a time ran, every other one reported that, and each file exists exactly once.
 */
export function killAmongRivals(
  kills: number,
  files: number,
  seed: number,
  onProgress: (line: string) => void,
): Promise<RivalKillReport> {
  return withSeed(seed, (prng) => killRivals(kills, files, prng, onProgress));
}

async function killRivals(
  kills: number,
  files: number,
  prng: Prng,
  onProgress: (line: string) => void,
): Promise<RivalKillReport> {
  const service = await startService();
  const sizes = Array.from({ length: files }, (_, index) => [`recording ${index}`, prng.int(1, LARGEST_BYTES)]);
  const engineCase = await prepareCase(service, 'journey', Object.fromEntries(sizes));
  try {
    const campaign = new Campaign(engineCase, prng);
    await campaign.run(kills, onProgress);
    const complete = await campaign.finish();
    return { ...campaign.report, files, complete };
  } finally {
    engineCase.remove();
    await service.stop();
  }
}

class Campaign {
  readonly report = { kills: 0, refused: 0, owners: 0 };
  readonly #case: EngineCase;
  readonly #prng: Prng;
  readonly #rivals = new Set<Rival>();
  readonly #broken: string[] = [];

  constructor(engineCase: EngineCase, prng: Prng) {
    this.#case = engineCase;
    this.#prng = prng;
  }

  async run(kills: number, onProgress: (line: string) => void): Promise<void> {
    while (this.report.kills < kills && this.#broken.length === 0) {
      if (this.#rivals.size < MOST_AT_ONCE) this.#start();
      await new Promise((resolve) => setTimeout(resolve, this.#prng.int(0, LONGEST_PAUSE_MS)));
      // Kills mostly the owner: then a process that is just starting can get the profile.
      const owner = [...this.#rivals].find(({ isWorking, wasKilled }) => isWorking && !wasKilled);
      if (owner === undefined || this.#prng.chance(2 / 3)) continue;
      owner.kill();
      this.report.kills += 1;
      if (this.report.kills % 20 === 0) onProgress(`${this.report.kills} kills`);
    }
    for (const rival of this.#rivals) rival.kill();
    await Promise.all(Array.from(this.#rivals, ({ ended }) => ended));
    this.#checkOwners();
    this.#broken.push(...databaseFaults(this.#case.job.profileDir));
    this.#throwBroken();
  }

  /** One more run without a kill. Returns the number of complete files. */
  async finish(): Promise<number> {
    const report = await startLife(this.#case.job).ended;
    if (report === null) throw new Error('killed by a signal of another process');
    const { broken, complete } = await checkOutcome(this.#case, report);
    this.#broken.push(...broken);
    this.#throwBroken();
    return complete;
  }

  #start(): void {
    const rival = this.#prng.chance(1 / 4) ? this.#commandLine() : this.#engine();
    this.#rivals.add(rival);
    void rival.ended.then(() => this.#rivals.delete(rival));
  }

  #engine(): Rival {
    const life = startLife(this.#case.job);
    const { child } = life;
    const rival: Rival = {
      isWorking: false,
      wasKilled: false,
      kill: () => {
        rival.wasKilled = true;
        appendFileSync(this.#logPath, `- ${child.pid} ${OWNER_KILLED}\n`);
        child.kill('SIGKILL');
      },
      ended: life.ended.then(
        (report: JobReport | null) => {
          if (report === null && !rival.wasKilled)
            this.#broken.push('an engine was killed by a signal of another process');
        },
        (error: unknown) => {
          if (error instanceof ProfileTaken && !rival.isWorking) this.report.refused += 1;
          else this.#broken.push(String(error));
        },
      ),
    };
    life.working.then(
      () => {
        // `working` also resolves at the end of a process that never started to upload.
        rival.isWorking = child.exitCode === null && child.signalCode === null;
      },
      () => {},
    );
    return rival;
  }

  /** The log proves the order: before an owner begins, every earlier one has ended or was killed. */
  #checkOwners(): void {
    const owners = new Set<string>();
    for (const line of readFileSync(this.#logPath, 'utf8').split('\n')) {
      const [, pid, event] = line.split(' ');
      if (pid === undefined) continue;
      if (event === OWNER_ENDS || event === OWNER_KILLED) owners.delete(pid);
      if (event !== OWNER_BEGINS) continue;
      if (owners.size > 0) this.#broken.push(`${pid} had the profile together with ${[...owners].join(', ')}`);
      owners.add(pid);
      this.report.owners += 1;
    }
  }

  get #logPath(): string {
    return `${this.#case.job.profileDir}.log`;
  }

  #commandLine(): Rival {
    const args = ['queue', 'list', '--profile', this.#case.job.profileDir, '--keychain', 'memory'];
    const { child, ended } = startCli(args);
    const rival: Rival = {
      isWorking: false,
      wasKilled: false,
      kill() {
        rival.wasKilled = true;
        child.kill('SIGKILL');
      },
      ended: ended.then(({ code, stderr }) => {
        if (code === 4 && stderr.includes('already running')) this.report.refused += 1;
        else if (code !== 0 && !rival.wasKilled) this.#broken.push(`the command line ended with ${code}: ${stderr}`);
      }),
    };
    return rival;
  }

  #throwBroken(): void {
    if (this.#broken.length === 0) return;
    const { kills } = this.report;
    throw new Error(`after ${kills} kills:\n${this.#broken.slice(0, 50).join('\n')}\n${tailOfLog(this.#case.job)}`);
  }
}
