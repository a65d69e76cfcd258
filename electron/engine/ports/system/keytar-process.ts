import { fork } from 'node:child_process';
import { fileURLToPath } from 'node:url';

/** The used part of keytar. */
export interface SystemSecrets {
  getPassword(service: string, account: string): Promise<string | null>;
  setPassword(service: string, account: string, password: string): Promise<void>;
  deletePassword(service: string, account: string): Promise<boolean>;
}

/** A call of keytar, and its result or the text of its error. */
export interface KeytarRequest {
  id: number;
  method: keyof SystemSecrets;
  args: string[];
}
export type KeytarAnswer = { id: number; value: unknown } | { id: number; error: string };

/** A process that runs `keytar-main.ts`. */
interface KeytarProcess {
  send(request: KeytarRequest): void;
  onAnswer(listener: (answer: KeytarAnswer) => void): void;
  /** Called once when the process ended or could not be started. */
  onEnd(listener: (reason: string) => void): void;
  /** Whether the process that started it must wait for it: only during calls. */
  keepWaiting(waits: boolean): void;
}

/** Starts a process that runs the program at this path, and ends it at the end of this process. */
export type StartKeytar = (program: string) => KeytarProcess;

/** In a bundle, the program is beside the folder of every other part; in the sources, beside this file. */
const PROGRAM = fileURLToPath(
  new URL(import.meta.url.endsWith('.ts') ? 'keytar-main.ts' : '../threads/keytar.js', import.meta.url),
);

/**
 * Calls keytar in a process of its own. A Secret Service that does not answer blocks the thread of a call for minutes, and a
 * process can't end while one of its threads is blocked; this one ends, and ends the other by force. The process starts with the
 * first call, and again with the first call after its end.
 */
export function keytarInProcess(start: StartKeytar = forkKeytar): SystemSecrets {
  let running: { process: KeytarProcess; calls: Map<number, PromiseWithResolvers<unknown>> } | null = null;
  let lastId = 0;

  function open() {
    if (running !== null) return running;
    const process = start(PROGRAM);
    const calls = new Map<number, PromiseWithResolvers<unknown>>();
    const opened = { process, calls };
    running = opened;
    process.onAnswer((answer) => {
      const call = calls.get(answer.id);
      calls.delete(answer.id);
      process.keepWaiting(calls.size > 0);
      if ('error' in answer) call?.reject(new Error(answer.error));
      else call?.resolve(answer.value);
    });
    process.onEnd((reason) => {
      if (running === opened) running = null;
      for (const call of calls.values()) call.reject(new Error(`the process for the keychain ended: ${reason}`));
      calls.clear();
    });
    return opened;
  }

  function call(method: keyof SystemSecrets, ...args: string[]): Promise<unknown> {
    const { process, calls } = open();
    lastId += 1;
    const waiting = Promise.withResolvers<unknown>();
    calls.set(lastId, waiting);
    process.keepWaiting(true);
    process.send({ id: lastId, method, args });
    return waiting.promise;
  }

  return {
    getPassword: (service, account) => call('getPassword', service, account) as Promise<string | null>,
    async setPassword(service, account, password) {
      await call('setPassword', service, account, password);
    },
    deletePassword: (service, account) => call('deletePassword', service, account) as Promise<boolean>,
  };
}

/** Starts the program with Node. Secrets pass through a pipe that only the two processes have. */
function forkKeytar(program: string): KeytarProcess {
  const child = fork(program, [], { execArgv: [], stdio: ['ignore', 'ignore', 'ignore', 'ipc'] });
  const kill = () => child.kill('SIGKILL');
  process.once('exit', kill);
  child.once('exit', () => process.off('exit', kill));
  return {
    // A failed send is followed by the end of the process, which is reported.
    send: (request) => void child.send(request, () => undefined),
    onAnswer: (listener) => void child.on('message', (answer) => listener(answer as KeytarAnswer)),
    onEnd(listener) {
      child.once('error', (error) => listener(error.message));
      child.once('exit', (code, signal) => listener(String(signal ?? code)));
    },
    keepWaiting(waits) {
      const set = waits ? 'ref' : 'unref';
      child[set]();
      child.channel?.[set]();
    },
  };
}
