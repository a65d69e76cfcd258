import { randomUUID } from 'node:crypto';
import { mkdirSync, readdirSync, rmSync } from 'node:fs';
import { hostname, tmpdir } from 'node:os';
import { join } from 'node:path';
import { parseArgs } from 'node:util';
import { fail, stopSignals } from './command-line.ts';
import { findTools } from './processing/tools/find-tools.ts';
import { createPictureMaker } from './processing/tools/picture-maker.ts';
import { createLog } from './site/log.ts';
import { printError, printRecord } from './site/standard-output.ts';
import { readWorkerToken } from './site/workers-settings.ts';
import { openScratch } from './storage/scratch.ts';
import { parseAddress } from './wire/web-address.ts';
import { createServiceLink, WorkerRefused } from './worker/service-link.ts';
import { runWorker } from './worker/worker.ts';

const MOST_PARALLEL = 32;

interface Arguments {
  service: string;
  token: string;
  parallel: number;
  scratch: string;
  isQuiet: boolean;
}

/**
 * Processes files for a service on this or another computer until a signal ends it. Returns the exit code: 0 after a signal, 1 when
 * the service refuses the worker; 2 for wrong usage (which ends the process). `command`: how the user started it.
 */
export async function runWork(command: string, args: readonly string[]): Promise<number> {
  const usage = `Usage: ${command} --service URL --token-file FILE|--token-env NAME [--parallel N] [--scratch DIR] [--quiet]`;
  const { service, token, parallel, scratch: folder, isQuiet } = readArguments(usage, args);
  const tools = findTools();
  if (tools.ffmpeg === null || tools.ffprobe === null) {
    printError('A worker needs the programs ffmpeg and ffprobe. Install them, or add their folder to PATH.');
    return 1;
  }
  const log = createLog(isQuiet);
  const worker = `${hostname()
    .replace(/[^\w.-]/g, '_')
    .slice(0, 60)}.${process.pid}.${randomUUID().slice(0, 8)}`;
  const own = openOwnFolder(folder);
  const pictures = createPictureMaker();
  const stopping = new AbortController();
  for (const name of stopSignals(process.platform))
    process.on(name, () => stopping.abort(new Error('The worker stops.')));
  printRecord({ worker, service_url: service });
  try {
    await runWorker({
      link: createServiceLink(service, token, worker, log),
      makers: { tools, pictures },
      openScratch: () => openScratch(own),
      log,
      parallel,
      signal: stopping.signal,
    });
    return 0;
  } catch (error) {
    if (!(error instanceof WorkerRefused)) throw error;
    printError(error.message);
    return 1;
  } finally {
    pictures.stop();
    rmSync(own, { recursive: true, force: true });
  }
}

function readArguments(usage: string, args: readonly string[]): Arguments {
  const text = { type: 'string' } as const;
  const options = {
    service: text,
    'token-file': text,
    'token-env': text,
    scratch: text,
    parallel: { type: 'string', default: '1' },
    quiet: { type: 'boolean', default: false },
  } as const;
  try {
    const { values } = parseArgs({ args: [...args], options });
    const url = parseAddress(values.service ?? '');
    if (url === undefined || !['http:', 'https:'].includes(url.protocol) || `${url.origin}/` !== url.href) {
      return fail(usage, '--service must be an http(s) address without a path.');
    }
    if ((values['token-file'] === undefined) === (values['token-env'] === undefined)) {
      return fail(usage, 'Either --token-file or --token-env is required.');
    }
    const parallel = Number(values.parallel);
    if (!/^\d{1,2}$/.test(values.parallel) || parallel < 1 || parallel > MOST_PARALLEL) {
      return fail(usage, `--parallel must be a whole number from 1 to ${MOST_PARALLEL}.`);
    }
    return {
      service: url.origin,
      token: readWorkerToken({ env: values['token-env'], file: values['token-file'] }),
      parallel,
      scratch: values.scratch ?? tmpdir(),
      isQuiet: values.quiet,
    };
  } catch (error) {
    return fail(usage, (error as Error).message);
  }
}

const OWN_FOLDER = /^mediadesk-worker-(\d{1,10})$/;

/** Creates the folder of this process for temporary files, and deletes those of workers that were killed. */
function openOwnFolder(folder: string): string {
  mkdirSync(folder, { recursive: true });
  for (const name of readdirSync(folder)) {
    const pid = Number(OWN_FOLDER.exec(name)?.[1] ?? Number.NaN);
    if (pid === process.pid || (Number.isInteger(pid) && !isRunning(pid))) {
      rmSync(join(folder, name), { recursive: true, force: true });
    }
  }
  const own = join(folder, `mediadesk-worker-${process.pid}`);
  mkdirSync(own, { mode: 0o700 });
  return own;
}

function isRunning(pid: number): boolean {
  try {
    process.kill(pid, 0);
    return true;
  } catch (error) {
    return (error as NodeJS.ErrnoException).code === 'EPERM';
  }
}
