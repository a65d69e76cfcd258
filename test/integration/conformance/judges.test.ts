import { readdirSync, readFileSync } from 'node:fs';
import { dirname, join, relative } from 'node:path';
import { fileURLToPath } from 'node:url';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { ALL_CASES } from '../../conformance/cases/all.ts';
import { SECTION_IDS } from '../../conformance/suite/sections.ts';
import { type ServiceProcess, startService } from '../../helpers/service/service-process.ts';
import { startSmallServer } from '../../helpers/wire/small-server.ts';
import { BENDS, type Bend, type Exchange } from './bends.ts';
import { runSuite } from './run-suite.ts';

// A conformance case that can't fail is useless. So a proxy changes the answers of the service in one way at a time,
// and the case for the violated statement must fail.

const LIMIT_MS = 60_000;
const SUITE = fileURLToPath(new URL('../../conformance', import.meta.url));

let service: ServiceProcess;
beforeAll(async () => {
  service = await startService();
});
afterAll(() => service.stop());

async function failuresOf(caseIds: readonly string[], bend: Bend): Promise<string[]> {
  const proxy = await startSmallServer((request, response) => {
    void forward(request).then((exchange) => {
      if (exchange.path.startsWith('/api2/')) bend(exchange);
      const body = exchange.json === undefined ? exchange.text : JSON.stringify(exchange.json);
      exchange.headers.delete('content-length');
      exchange.headers.delete('transfer-encoding');
      exchange.headers.delete('connection');
      const cookies = exchange.headers.getSetCookie();
      const headers = Object.fromEntries(exchange.headers);
      response.writeHead(exchange.status, cookies.length > 0 ? { ...headers, 'set-cookie': cookies } : headers);
      response.end(exchange.status === 204 ? undefined : body);
    });
  });
  const run = await runSuite(service, { baseUrl: proxy.url, args: caseIds.flatMap((id) => ['--only', id]) });
  expect(run.cases.map(({ id }) => id).sort()).toEqual([...caseIds].sort());
  return run.cases.filter(({ status }) => status === 'failed').map(({ id }) => id);
}

async function forward(request: {
  method: string;
  url: string;
  headers: NodeJS.Dict<string | string[]>;
  body: string;
}): Promise<Exchange> {
  const { method, url, headers } = request;
  const sent = new Headers();
  for (const name of ['authorization', 'content-type', 'cookie', 'accept', 'origin']) {
    const value = headers[name];
    if (typeof value === 'string') sent.set(name, value);
  }
  const answer = await fetch(service.baseUrl + url, {
    method,
    headers: sent,
    redirect: 'manual',
    ...(method === 'GET' || method === 'HEAD' || request.body === '' ? {} : { body: request.body }),
  });
  const text = await answer.text();
  const isJson = /json/.test(answer.headers.get('content-type') ?? '') && text !== '';
  const json = isJson ? (JSON.parse(text) as unknown) : undefined;
  return { method, path: url, status: answer.status, headers: new Headers(answer.headers), json, text };
}

describe('a conformance case fails when', () => {
  for (const [what, [caseId, bend]] of Object.entries(BENDS)) {
    test(`${what} (${caseId})`, async () => expect(await failuresOf([caseId], bend)).toEqual([caseId]), LIMIT_MS);
  }

  test(
    'an answer violates the API, and passes when the proxy changes none',
    async () => {
      const caseIds = [...new Set(Object.values(BENDS).map(([id]) => id))];
      expect(await failuresOf(caseIds, () => {})).toEqual([]);
    },
    LIMIT_MS,
  );
});

describe('the conformance cases', () => {
  test('cover every section of the API', () => {
    const covered = new Set(ALL_CASES.map(({ section }) => section));
    expect(SECTION_IDS.filter((section) => !covered.has(section))).toEqual([]);
  });

  test('import only Node and each other', () => {
    const files = readdirSync(SUITE, { recursive: true, encoding: 'utf8' }).filter((name) => name.endsWith('.ts'));
    const foreign = files.flatMap((name) => {
      const modules = [...readFileSync(join(SUITE, name), 'utf8').matchAll(/ from '([^']+)'|import\('([^']+)'/g)];
      return modules
        .map(([, one, other]) => one ?? other ?? '')
        .filter((module) => !module.startsWith('node:'))
        .filter(
          (module) => !module.startsWith('.') || relative(SUITE, join(SUITE, dirname(name), module)).startsWith('..'),
        )
        .map((module) => `${name}: ${module}`);
    });
    expect(files.length).toBeGreaterThan(30);
    expect(foreign).toEqual([]);
  });
});

describe('the conformance command', () => {
  test('exits with 2 and the reason when the password is wrong', async () => {
    const run = await runSuite({ ...service, admin: { ...service.admin, password: 'wrong' } } as ServiceProcess);
    expect(run.code).toBe(2);
    expect(run.stderr).toContain('could not sign in');
  });

  test('writes a JUnit report with every case, and prints the counts last', async () => {
    const run = await runSuite(service, { args: ['--only', 'tree-fields', '--only', 'Events'] });
    expect(run.code).toBe(0);
    expect(run.junit.match(/<testcase /g)).toHaveLength(run.cases.length);
    expect(run.junit).toContain('tests="9" failures="0" errors="0" skipped="2"');
    expect(run.stdout.trimEnd().split('\n').at(-1)).toBe('7 passed, 0 failed, 2 skipped');
  });
});
