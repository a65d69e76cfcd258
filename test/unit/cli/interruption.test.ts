import { PassThrough } from 'node:stream';
import { describe, expect, it } from 'vitest';
import { askHidden } from '../../../electron/cli/output/ask-hidden.ts';
import { EXIT } from '../../../electron/cli/output/exit-codes.ts';
import { listenForInterruption, stopSignals } from '../../../electron/cli/session/interruption.ts';

describe('the request to stop a command', () => {
  it('is on Windows also Ctrl-Break and a closed console, and on other systems only Ctrl-C and SIGTERM', () => {
    const everywhere = { SIGINT: EXIT.interrupted, SIGTERM: EXIT.terminated };
    for (const platform of ['linux', 'darwin']) expect(Object.fromEntries(stopSignals(platform))).toEqual(everywhere);
    expect(Object.fromEntries(stopSignals('win32'))).toEqual({
      ...everywhere,
      SIGBREAK: EXIT.interrupted,
      SIGHUP: EXIT.terminated,
    });
  });

  it.each([
    ['SIGBREAK', EXIT.interrupted],
    ['SIGHUP', EXIT.terminated],
  ] as const)('reaches a command on Windows as %s, and is heard no more after the command', (name, code) => {
    const before = process.listenerCount(name);
    let requests = 0;
    const interruption = listenForInterruption(() => {
      requests += 1;
    }, 'win32');
    try {
      process.emit(name, name);
      expect([requests, interruption.signal.aborted, interruption.exitCode()]).toEqual([1, true, code]);
    } finally {
      interruption.dispose();
    }
    expect(process.listenerCount(name)).toBe(before);
  });

  it('comes on Windows from Ctrl-C in a hidden question, without an end of the process', () => {
    const stdin = Object.assign(new PassThrough(), { isTTY: true, setRawMode: () => undefined });
    let requests = 0;
    const interruption = listenForInterruption(() => {
      requests += 1;
    }, 'win32');
    try {
      void askHidden('Passphrase: ', stdin as unknown as NodeJS.ReadStream, new PassThrough(), 'win32');
      stdin.emit('data', '\u0003');
      expect([requests, interruption.exitCode()]).toEqual([1, EXIT.interrupted]);
    } finally {
      interruption.dispose();
    }
  });
});
