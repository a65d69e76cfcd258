import { execFile } from 'node:child_process';
import { type AppErrorData, appError } from '../../../../shared/contract/app-error.ts';
import { dispositionOf } from '../../../../shared/contract/errors/error-catalog.ts';
import type { Site } from '../../../../shared/contract/sites.ts';
import { accountsOf } from '../../../../shared/model/watch/rule-accounts.ts';
import { sleep } from '../../../engine/ports/clock.ts';
import { nodeClock } from '../../../engine/ports/system/node-clock.ts';
import { noOperands } from '../../arguments/options.ts';
import type { EngineContext } from '../../command-base/context.ts';
import { defineEngineCommand } from '../../command-base/define-engine-command.ts';
import { EXIT, type ExitCode } from '../../output/exit-codes.ts';
import { whenAborted } from '../../session/interruption.ts';
import { drawOnScreen, type ProgressView, printChanges } from '../../uploads/progress-view.ts';
import {
  accountProblem,
  folderProblem,
  needsSomeone,
  type StationLine,
  StationReport,
  stationExitCode,
  withAccountName,
} from '../../watch/station-report.ts';
import { folderLine } from '../../watch/watch-text.ts';

export const watchRunCommand = defineEngineCommand<null>({
  name: 'watch run',
  operands: '',
  summary: 'Watch all folders and upload what arrives, until you stop it.',
  options: {},
  read(_values, operands) {
    noOperands(operands);
    return null;
  },
  run: runStation,
  interruptedText:
    'Stopping. What isn’t uploaded yet stays in the queue and is uploaded by the next “mediadesk watch run”.',
});

/** How long the start waits for the answers of the libraries. A later answer is reported when it arrives. */
const ANSWERS_WITHIN_MS = 12_000;
/** Whether the network is down or only the library is not known here. */
const UNREACHABLE: AppErrorData = {
  ...appError('network.unreachable').toData(),
  nextStep: 'Uploads resume automatically when the library can be reached.',
};

/**
 * Watches until SIGTERM or SIGINT. SIGTERM is the usual end of a system service, so its exit code is 0. Ends with 1 when no
 * folder is watched. Ends also, at the start or later, when nothing can be sent for any account of a folder until someone acts:
 * with 3 when a sign-in is missing, 1 for a wrong passphrase, 5 for a keychain that is locked or missing. Reports each account,
 * folder and disk that it can't use, when this begins and when it is over.
 */
async function runStation(context: EngineContext): Promise<ExitCode> {
  const { engine, output, screen, interruption } = context;
  const folders = await engine.call('watch.list', null);
  if (folders.length === 0) {
    output.note('No folder is watched. “mediadesk watch add FOLDER” adds one.');
    return EXIT.incomplete;
  }
  if (folders.every(({ state }) => state === 'paused')) {
    output.note(
      'All watched folders are paused, so no new files are found. To resume: “mediadesk watch edit FOLDER --resume”.',
    );
  }
  let view: ProgressView | null = null;
  const tell = ({ subject, problem, text }: StationLine) => {
    const write = () => {
      if (problem !== null) output.alert(problem);
      else {
        output.record({ resolved: { subject, message: text } });
        output.warning(`mediadesk: ${text}`);
      }
    };
    if (view === null) write();
    else view.above(write);
  };
  const report = new StationReport(tell);
  const accounts = new StationAccounts(
    context,
    report,
    new Set(folders.flatMap(({ rules }) => [...accountsOf(rules)])),
  );
  const stopReports = [() => accounts.stop(), ...reportProblems(context, report)];
  try {
    await Promise.race([accounts.check(), whenAborted(interruption.signal)]);
    if (accounts.useless === null && !interruption.signal.aborted) {
      const totals = await engine.call('uploads.totals', null);
      view = screen ? drawOnScreen(engine, screen, totals) : printChanges(engine, output, totals);
      stopReports.push(showFolders(context));
      engine.startUploads();
      engine.startWatching();
      await reportReady(folders.length);
      await Promise.race([accounts.whenUseless, whenAborted(interruption.signal)]);
    }
  } finally {
    for (const stop of stopReports) stop();
    await view?.stop();
  }
  const code = interruption.exitCode();
  if (code !== null) return code === EXIT.terminated ? EXIT.complete : EXIT.interrupted;
  if (accounts.useless === null) return EXIT.incomplete;
  if (output.json) output.error(accounts.useless);
  return stationExitCode(accounts.useless);
}

/** The accounts to which the folders upload: their problems, and whether any of them can be used. */
class StationAccounts {
  readonly #context: EngineContext;
  readonly #report: StationReport;
  readonly #wanted: ReadonlySet<string>;
  readonly #problems = new Map<string, AppErrorData>();
  /** The accounts whose library does not answer. */
  readonly #silent = new Set<string>();
  readonly #unsubscribe: () => void;
  /** Why nothing can be sent for any account until someone acts; null while one of them can be used. */
  useless: AppErrorData | null = null;
  readonly whenUseless: Promise<void>;
  #endStation: () => void = () => undefined;

  constructor(context: EngineContext, report: StationReport, wanted: ReadonlySet<string>) {
    this.#context = context;
    this.#report = report;
    this.#wanted = wanted;
    this.whenUseless = new Promise((resolve) => {
      this.#endStation = resolve;
    });
    this.#unsubscribe = context.engine.on('onDidChangeSites', (sites) => {
      for (const id of wanted) {
        const site = sites.find((each) => each.id === id);
        this.#note(id, accountProblem(id, site), site?.displayName ?? id);
        if (site !== undefined) this.#noteConnection(site, UNREACHABLE);
      }
    });
  }

  /** Asks the library of each account whether it accepts the sign-in. Waits a limited time for the answers. */
  async check(): Promise<void> {
    const sites = await this.#context.engine.call('sites.list', null);
    const asked = [...this.#wanted].map(async (id) => {
      const site = sites.find((each) => each.id === id);
      // A sign-in that was refused earlier is tried once more.
      if (site === undefined || site.state === 'signed-out') return this.#note(id, accountProblem(id, site), id);
      const { problem } = await this.#context.engine.call('sites.check', { siteId: id });
      if (problem === null) return;
      if (needsSomeone(problem)) this.#note(id, withAccountName(site, problem), site.displayName);
      else this.#noteConnection({ ...site, reachable: false }, problem);
    });
    const answered = Promise.all(asked);
    await Promise.race([answered, sleep(nodeClock, ANSWERS_WITHIN_MS)]);
    // An answer after the time limit is reported; a fault of the engine then has no other reader.
    answered.catch(() => undefined);
  }

  stop(): void {
    this.#unsubscribe();
  }

  /** Reports when a library stops answering, with the first known reason, and when it answers again. */
  #noteConnection(site: Site, reason: AppErrorData): void {
    if (!site.reachable && this.#silent.has(site.id)) return;
    if (site.reachable) this.#silent.delete(site.id);
    else this.#silent.add(site.id);
    const problem = site.reachable ? null : withAccountName(site, reason);
    this.#report.note(`connection ${site.id}`, problem, `${site.displayName}: the library answers again.`);
  }

  #note(id: string, problem: AppErrorData | null, name: string): void {
    if (problem === null) this.#problems.delete(id);
    else this.#problems.set(id, problem);
    this.#report.note(`account ${id}`, problem, `${name}: the sign-in works again.`);
    const all = [...this.#wanted].map((each) => this.#problems.get(each));
    const [first] = all;
    if (first === undefined || !all.every((each) => each !== undefined && needsSomeone(each))) return;
    this.useless ??= first;
    this.#endStation();
  }
}

/** Reports when the queue, the profile or a folder stops and continues. Returns the functions that end it. */
function reportProblems({ engine }: EngineContext, report: StationReport): (() => void)[] {
  return [
    engine.on('onDidChangeUploads', ({ totals: { blockedBy } }) => {
      // The account, its connection and the profile report the other reasons.
      const isOwn = blockedBy !== null && dispositionOf(blockedBy.code) === 'wait-site';
      report.note('queue', isOwn ? blockedBy : null, 'Uploads continue.');
    }),
    engine.on('onDidChangeStore', ({ problem }) => report.note('store', problem, 'Mediadesk can save its data again.')),
    engine.on('onDidChangeWatch', ({ folders }) => {
      for (const folder of folders) report.note(`folder ${folder.id}`, folderProblem(folder), folderLine(folder));
    }),
  ];
}

/** Prints each change of a folder's state; with --json, each change of a folder. */
function showFolders({ engine, output, screen }: EngineContext): () => void {
  const shown = new Map<string, string>();
  return engine.on('onDidChangeWatch', ({ folders }) => {
    for (const folder of folders) {
      const { nextSweepAt: _, ...facts } = folder;
      if (shown.get(`record ${folder.id}`) !== JSON.stringify(facts)) output.record({ watch: folder });
      shown.set(`record ${folder.id}`, JSON.stringify(facts));
      const line = folderLine(folder);
      // A line between the lines of the progress would be overwritten. Problems are reported on standard error.
      const isShown = screen === null && folderProblem(folder) === null;
      if (isShown && shown.get(folder.id) !== line) output.line(line);
      shown.set(folder.id, line);
    }
  });
}

/**
 * Reports to systemd that the station runs, if it requires that (`Type=notify` with `NotifyAccess=all`). Node has no sockets of
 * that kind, so systemd's own program sends the report; without it systemd does not count the station as ready.
 */
function reportReady(folders: number): Promise<void> {
  if (process.env.NOTIFY_SOCKET === undefined) return Promise.resolve();
  const status = `--status=Watching ${folders} ${folders === 1 ? 'folder' : 'folders'}`;
  return new Promise((resolve) => {
    execFile('systemd-notify', ['--ready', status], () => resolve());
  });
}
