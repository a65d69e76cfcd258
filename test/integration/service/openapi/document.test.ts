// The OpenAPI document of the service, compared with what the service really does: its routes, and every exchange of the
// conformance suite.
import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { OPERATIONS } from '../../../../service/openapi/operations.ts';
import { PARAMETERS } from '../../../../service/openapi/parameters.ts';
import {
  checkAgainst,
  type DocumentCheck,
  isSuccess,
  type OpenApiDocument,
} from '../../../helpers/service/openapi-check.ts';
import { type RecordingRelay, startRecordingRelay } from '../../../helpers/service/recording-relay.ts';
import { clientWith, type ServiceClient } from '../../../helpers/service/service-client.ts';
import { type ServiceProcess, startService } from '../../../helpers/service/service-process.ts';
import { signIn } from '../../../helpers/service/service-sign-in.ts';
import { runSuite } from '../../conformance/run-suite.ts';

const ROOT = join(import.meta.dirname, '../../../..');
let service: ServiceProcess;
let relay: RecordingRelay;
let document: OpenApiDocument;
let check: DocumentCheck;

beforeAll(async () => {
  relay = await startRecordingRelay();
  service = await startService({ publicUrl: relay.baseUrl });
  relay.target = service.baseUrl;
  document = (await (await fetch(`${relay.baseUrl}/openapi.json`)).json()) as OpenApiDocument;
  check = checkAgainst(document);
  const run = await runSuite(service, {
    baseUrl: relay.baseUrl,
    args: ['--control-url', service.controlUrl, '--harmful'],
  });
  expect(run.code, run.stdout.slice(-2000)).toBe(0);
  await askForPages(clientWith(relay, await signIn({ ...service, baseUrl: relay.baseUrl })));
}, 300_000);
afterAll(async () => {
  await service?.stop();
  await relay?.close();
});

/** What the suite leaves out: pages of short lists, and single filters of the deletion of many users. */
async function askForPages(client: ServiceClient): Promise<void> {
  for (const list of ['users', 'groups', 'tags', 'roles', 'memberships', 'memberships/calculate-roles-perms']) {
    const subject = list.includes('/') ? '&user_id=1' : '';
    expect((await client.get(`/api2/${list}?per_page=1&_p=1${subject}`)).status).toBe(200);
  }
  const nobody = { email_address: 'nobody@example.org', first_name: 'Nobody', last_name: 'Nobody', group_id: '999999' };
  const never = { last_login_before: '2001-01-01T00:00:00Z', last_login_after: '2999-01-01T00:00:00Z' };
  for (const [name, value] of Object.entries({ ...nobody, ...never })) {
    const query = new URLSearchParams({ [name]: value });
    expect((await client.delete(`/api2/users/bulk-delete?${query}`)).status).toBe(204);
  }
}

describe('the OpenAPI document', () => {
  it('is of version 3.1, needs no access token, and names each operation once', () => {
    expect(document.openapi).toMatch(/^3\.1\./);
    const ids = check.operations.map(({ operation }) => operation.operationId);
    expect(new Set(ids).size).toBe(ids.length);
    expect(ids).toHaveLength(Object.keys(OPERATIONS).length);
  });

  it('covers every endpoint that the table of endpoints lists, and no other', () => {
    const table = readFileSync(join(ROOT, 'docs/api-coverage.md'), 'utf8');
    const listed = [...table.matchAll(/^\| ((?:GET|POST|DELETE) \S+)/gm)].map(([, endpoint]) => endpoint);
    // The authorization endpoint answers browsers with pages.
    const described = listed.filter((endpoint) => endpoint !== 'GET /api2/oauth/authorize');
    expect(Object.keys(OPERATIONS).toSorted()).toEqual(described.toSorted());
  });

  it('describes every answer of the service to the conformance suite', () => {
    const answers = relay.exchanges.map((each) => check.answerFaults(each)).filter((faults) => faults !== null);
    expect([...new Set(answers.flat())].toSorted().slice(0, 40)).toEqual([]);
    expect(answers.length).toBeGreaterThan(2000);
  });

  it('accepts every body and query that the service accepts', () => {
    const faults = relay.exchanges.filter(isSuccess).flatMap((each) => check.requestFaults(each));
    expect([...new Set(faults)].toSorted().slice(0, 40)).toEqual([]);
  });

  it('describes only what was seen: each operation succeeded, and each parameter was part of a success', () => {
    const successes = relay.exchanges.filter(isSuccess);
    const idOf = (exchange: (typeof successes)[number]) => check.operationOf(exchange)?.operationId ?? '';
    const seen = new Set(
      successes.flatMap((each) => [idOf(each), ...[...each.query.keys()].map((name) => `${idOf(each)} ${name}`)]),
    );
    const described = check.operations.flatMap(({ operation: { operationId, parameters = [] } }) => [
      operationId,
      ...parameters.filter((each) => each.in === 'query').map(({ name }) => `${operationId} ${name}`),
    ]);
    expect(described.filter((each) => !seen.has(each))).toEqual([]);
  });

  it('names each parameter that the service reads', () => {
    const read = new Set<string>();
    for (const folder of ['service/resources', 'service/wire']) {
      for (const name of readdirSync(join(ROOT, folder), { recursive: true, encoding: 'utf8' })) {
        if (!name.endsWith('.ts')) continue;
        const text = readFileSync(join(ROOT, folder, name), 'utf8');
        const reads = text.matchAll(/\bquery\.(?!ts\b)(_?[a-z_]+)\b|(?:param|flag)\(query, '(\w+)'/g);
        for (const [, dotted, called] of reads) read.add(dotted ?? called ?? '');
      }
    }
    const named = new Set(Object.values(PARAMETERS).flatMap((each) => Object.keys(each)));
    expect([...read].filter((name) => !named.has(name))).toEqual([]);
    expect(read.size).toBeGreaterThan(20);
  });
});
