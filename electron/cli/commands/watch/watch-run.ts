import { execFile } from 'node:child_process';
import { appError } from '../../../../shared/contract/app-error.ts';
import type { Site } from '../../../../shared/contract/sites.ts';
import type { WatchedFolder } from '../../../../shared/contract/watch.ts';
import { accountsOf } from '../../../../shared/model/watch/rule-accounts.ts';
import { noOperands } from '../../arguments/options.ts';
import type { EngineContext } from '../../command-base/context.ts';
import { defineEngineCommand } from '../../command-base/define-engine-command.ts';
import { EXIT, type ExitCode, exitCodeOf } from '../../output/exit-codes.ts';
import { whenAborted } from '../../session/interruption.ts';
import { drawOnScreen, printChanges } from '../../uploads/progress-view.ts';
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

/**
 * Watches until SIGTERM or SIGINT. SIGTERM is the usual end of a system service, so its exit code is 0. Ends with 1 when no
 * folder is watched, and with 3 when no account of a folder is signed in, which no restart changes. Prints the accounts that
 * are not signed in.
 */
async function runStation(context: EngineContext): Promise<ExitCode> {
  const { engine, output, screen, interruption } = context;
  const folders = await engine.call('watch.list', null);
  if (folders.length === 0) {
    output.note('No folder is watched. “mediadesk watch add FOLDER” adds one.');
    return EXIT.incomplete;
  }
  const { isAny, missing } = await checkSignIns(context, folders);
  for (const error of missing) output.notice(error);
  const [first] = missing;
  if (!isAny && first !== undefined) return exitCodeOf(first);
  const totals = await engine.call('uploads.totals', null);
  const view = screen ? drawOnScreen(engine, screen, totals) : printChanges(engine, output, totals);
  const stopShowing = showFolders(context);
  try {
    engine.startUploads();
    engine.startWatching();
    await reportReady(folders.length);
    await whenAborted(interruption.signal);
  } finally {
    stopShowing();
    await view.stop();
  }
  return interruption.exitCode() === EXIT.terminated ? EXIT.complete : EXIT.interrupted;
}

/** Returns whether any account to which a folder uploads is signed in, and an error for each account that is not. */
async function checkSignIns({ engine }: EngineContext, folders: readonly WatchedFolder[]) {
  const wanted = new Set(folders.flatMap(({ rules }) => [...accountsOf(rules)]));
  const sites = await engine.call('sites.list', null);
  const isSignedIn = (siteId: string) => sites.some(({ id, state }) => id === siteId && state === 'signed-in');
  const missing = [...wanted].filter((siteId) => !isSignedIn(siteId));
  const errors = missing.map((siteId) => {
    const site = sites.find(({ id }) => id === siteId);
    return appError('sign-in.required', {
      message: signInText(site),
      details: { siteId, url: site?.baseUrl },
    }).toData();
  });
  return { isAny: missing.length < wanted.size, missing: errors };
}

function signInText(site: Site | undefined): string {
  if (site === undefined) return 'A watched folder uses an account that was removed.';
  const account = site.accountName === null ? '' : ` as ${site.accountName}`;
  return `You’re not signed in to ${site.displayName}${account}. Files for this account wait.`;
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
      // A line between the lines of the progress would be overwritten.
      if (screen === null && shown.get(folder.id) !== line) output.line(line);
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
