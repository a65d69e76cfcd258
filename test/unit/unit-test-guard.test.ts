import { execFileSync, execSync, spawn, spawnSync } from 'node:child_process';
import { request } from 'node:http';
import { createServer } from 'node:net';
import { connect } from 'node:tls';
import { describe, expect, it } from 'vitest';
import { takeViolations } from '../helpers/unit-test-guard.ts';

const listening = 'A unit test must not listen on a socket. Move the test to test/integration.';
const connecting = 'A unit test must not open a connection. Move the test to test/integration.';
const starting = 'A unit test must not start a process. Move the test to test/integration.';

describe('the guard of the unit tests', () => {
  it.each([
    ['listens on a port', listening, () => createServer().listen(0)],
    ['sends a request over HTTP', connecting, () => request('http://127.0.0.1:4321/')],
    ['opens a TLS connection', connecting, () => connect(4321, '127.0.0.1')],
    ['starts a process', starting, () => spawn(process.execPath, ['--version'])],
    ['starts a process with spawnSync', starting, () => spawnSync(process.execPath, ['--version'])],
    ['starts a process with execFileSync', starting, () => execFileSync(process.execPath, ['--version'])],
    ['starts a process with execSync', starting, () => execSync('true')],
  ])('throws and records a violation when a test %s', (_name, message, attempt) => {
    expect(attempt).toThrow(message);
    expect(takeViolations()).toEqual([message]);
  });

  it('records a violation when a test calls fetch', async () => {
    await expect(fetch('http://127.0.0.1:4321/')).rejects.toThrow('fetch failed');
    expect(takeViolations()).toEqual([connecting]);
  });

  it.fails('fails the test when its code catches the error', () => {
    try {
      createServer().listen(0);
    } catch {
      // Code under test could do the same.
    }
  });
});
