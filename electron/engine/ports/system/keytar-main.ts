// The program of the process that calls the keychain of Linux: see `keytar-process.ts`.
import type { KeytarAnswer, KeytarRequest, SystemSecrets } from './keytar-process.ts';

/** The port of a utility process of Electron; absent in a process that Node started. */
interface ParentPort {
  on(event: 'message', listener: (message: { data: KeytarRequest }) => void): void;
  postMessage(answer: KeytarAnswer): void;
}

const { parentPort } = process as { parentPort?: ParentPort };

async function answer({ id, method, args }: KeytarRequest): Promise<KeytarAnswer> {
  try {
    const module = await import('keytar');
    const keytar = (module as { default?: SystemSecrets }).default ?? module;
    return {
      id,
      value: await (keytar[method] as (...texts: string[]) => Promise<unknown>)(...args),
    };
  } catch (error) {
    return { id, error: error instanceof Error ? error.message : String(error) };
  }
}

if (parentPort === undefined) {
  process.on('message', (request: KeytarRequest) => void answer(request).then((each) => process.send?.(each)));
  // The other process ended. A normal end would wait for a call that hangs.
  process.on('disconnect', () => process.kill(process.pid, 'SIGKILL'));
} else {
  parentPort.on('message', ({ data }) => void answer(data).then((each) => parentPort.postMessage(each)));
}
