// A client that a generator of others makes from the OpenAPI document alone, against the real service: all requests of the
// conformance suite, and a program that the compiler checks.
import { execFile } from 'node:child_process';
import { copyFile, mkdtemp, rm, symlink, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { OPERATIONS } from '../../../../service/openapi/operations.ts';
import type { ClientReport } from '../../../conformance/http/generated-client.ts';
import { isSuccess } from '../../../helpers/service/openapi-check.ts';
import { type ServiceProcess, startService } from '../../../helpers/service/service-process.ts';
import { authorize } from '../../../helpers/service/service-sign-in.ts';
import { failuresIn, runSuite, type SuiteRun } from '../../conformance/run-suite.ts';

const ROOT = join(import.meta.dirname, '../../../..');
const program = (name: string) => join(ROOT, 'node_modules', name);
const run = promisify(execFile);

let service: ServiceProcess;
let folder: string;

beforeAll(async () => {
  service = await startService();
  folder = await mkdtemp(join(tmpdir(), 'generated-client-'));
  await symlink(join(ROOT, 'node_modules'), join(folder, 'node_modules'), 'junction');
  await writeFile(join(folder, 'package.json'), '{ "type": "module" }');
  await writeFile(join(folder, 'openapi.json'), await (await fetch(`${service.baseUrl}/openapi.json`)).text());
  await run(process.execPath, [program('oazapfts/dist/cli.js'), 'openapi.json', 'client.ts'], { cwd: folder });
}, 60_000);
afterAll(async () => {
  await service?.stop();
  await rm(folder, { recursive: true, force: true });
});

describe('a client generated from the OpenAPI document', () => {
  it('passes the conformance suite, in which each operation succeeds through it', async () => {
    const suite = await runSuite(service, {
      args: ['--control-url', service.controlUrl, '--harmful', '--generated-client', join(folder, 'client.ts')],
    });
    expect(failuresIn(suite)).toEqual([]);
    expect(suite.code, suite.stderr).toBe(0);
    const { calls, otherwise } = reportOf(suite);
    const succeeded = Object.keys(calls).filter((id) => isSuccessful(calls[id]));
    expect(succeeded.toSorted()).toEqual(
      Object.values(OPERATIONS)
        .map(({ id }) => id)
        .toSorted(),
    );
    // What the client can't express: pages, forms, upload destinations, and requests that are wrong on purpose.
    const { 'not of the API': _pages, ...wrong } = otherwise;
    const sum = (numbers: readonly number[]) => numbers.reduce((total, each) => total + each, 0);
    const sent = sum(Object.values(calls).flatMap((statuses) => Object.values(statuses)));
    expect(sum(Object.values(wrong)) / sent).toBeLessThan(0.02);
  });

  it('has types by which the compiler checks a program for the API, and the program does what it says', async () => {
    await copyFile(join(ROOT, 'test/fixtures/openapi-client/program.mts'), join(folder, 'program.mts'));
    const options = ['--noEmit', '--strict', '--module', 'nodenext', '--allowImportingTsExtensions', '--types', 'node'];
    const compile = (file: string) =>
      run(process.execPath, [program('typescript/bin/tsc'), ...options, '--target', 'es2023', file], { cwd: folder });
    await compile('program.mts');
    const wrong = "import { createMedia } from './client.ts';\nawait createMedia({ title: 1 });\n";
    await writeFile(join(folder, 'wrong.mts'), wrong);
    await expect(compile('wrong.mts')).rejects.toMatchObject({ stdout: expect.stringContaining('wrong.mts(2') });

    const { params, verifier, redirectUri } = await authorize(service);
    const args = [service.baseUrl, params.get('code') ?? '', service.clientId, redirectUri, verifier ?? ''];
    const { stdout } = await run(process.execPath, ['program.mts', ...args], { cwd: folder });
    expect(JSON.parse(stdout)).toEqual({
      podcast: 'To listen to',
      uploaded: 204,
      tags: ['sea'],
      found: ['Tides'],
      missing: 404,
      refusal: ['title'],
      left: 404,
    });
  });
});

/** What the client sent; throws when the suite sent all requests itself. */
function reportOf({ client }: SuiteRun): ClientReport {
  if (client === null) throw new Error('The suite used no generated client.');
  return client;
}

const isSuccessful = (statuses: Readonly<Record<string, number>> = {}) =>
  Object.keys(statuses).some((status) => isSuccess({ status: Number(status) }));
