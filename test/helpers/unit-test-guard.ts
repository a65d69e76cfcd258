// Keeps `test/unit` pure: loaded before every file of that folder (vitest.config.ts), not for other tests.
import childProcess from 'node:child_process';
import { syncBuiltinESMExports } from 'node:module';
import net from 'node:net';
import { afterEach } from 'vitest';

// Files share their process. Libraries that find a window of another file would take it for a complete browser.
Reflect.deleteProperty(globalThis, 'window');

let violations: string[] = [];

function forbid(owner: object, method: string, what: string): void {
  const refuse = () => {
    const message = `A unit test must not ${what}. Move the test to test/integration.`;
    violations.push(message);
    throw new Error(message);
  };
  Object.defineProperty(owner, method, { value: refuse, writable: true, configurable: true });
}

forbid(net.Server.prototype, 'listen', 'listen on a socket');
forbid(net.Socket.prototype, 'connect', 'open a connection');
// `spawn`, `exec`, `execFile` and `fork` all call this; the synchronous calls have their own function.
forbid(childProcess.ChildProcess.prototype, 'spawn', 'start a process');
for (const method of ['spawnSync', 'execSync', 'execFileSync']) forbid(childProcess, method, 'start a process');
// Named imports of built-in modules keep the original functions unless they are synchronized.
syncBuiltinESMExports();

/** The violations of this test so far; clears them, so that the test can pass. */
export function takeViolations(): string[] {
  const taken = violations;
  violations = [];
  return taken;
}

// The code under test may catch the error, so the test fails in any case.
afterEach(() => {
  const [first] = takeViolations();
  if (first !== undefined) throw new Error(first);
});
