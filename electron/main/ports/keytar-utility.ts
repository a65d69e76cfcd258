import { app, utilityProcess } from 'electron';
import type { KeytarAnswer, StartKeytar } from '../../engine/ports/system/keytar-process.ts';

/** Starts the process for the keychain as a utility process, because the packaged app can't run as Node. */
export const startKeytarUtility: StartKeytar = (program) => {
  const child = utilityProcess.fork(program, [], { serviceName: 'Mediadesk keychain', stdio: 'ignore' });
  const kill = () => {
    // SIGTERM would wait for a call that hangs.
    if (child.pid !== undefined) process.kill(child.pid, 'SIGKILL');
  };
  app.once('quit', kill);
  child.once('exit', () => app.off('quit', kill));
  return {
    send: (request) => child.postMessage(request),
    onAnswer: (listener) => void child.on('message', (answer: KeytarAnswer) => listener(answer)),
    onEnd: (listener) => void child.once('exit', (code) => listener(String(code))),
    keepWaiting: () => undefined,
  };
};
