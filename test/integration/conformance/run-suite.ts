import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { mkdtemp, readFile, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import type { ClientReport } from '../../conformance/http/generated-client.ts';
import type { ServiceProcess } from '../../helpers/service/service-process.ts';
import { signIn } from '../../helpers/service/service-sign-in.ts';

const RUN = fileURLToPath(new URL('../../conformance/run.ts', import.meta.url));

interface CaseReport {
  id: string;
  name: string;
  status: 'passed' | 'failed' | 'skipped';
  reason: string | null;
}

export interface SuiteRun {
  code: number | null;
  stdout: string;
  stderr: string;
  /** The cases of the JSON report, in order; empty when there is no report. */
  cases: CaseReport[];
  leftBehind: string[];
  /** What was sent through a generated client; null without `--generated-client`. */
  client: ClientReport | null;
  junit: string;
}

export interface SuiteOptions {
  args?: readonly string[];
  /** The address that the suite tests; the service itself by default. */
  baseUrl?: string;
  /** Called when the suite has started, with a function that interrupts it as Ctrl-C does. */
  onStart?: (interrupt: () => void, output: () => string) => void;
}

/** Runs the conformance suite in a separate process, as an administrator of the service. */
export async function runSuite(service: ServiceProcess, options: SuiteOptions = {}): Promise<SuiteRun> {
  const out = await mkdtemp(join(tmpdir(), 'conformance-'));
  const { email_address, password } = service.admin;
  const args = ['--base-url', options.baseUrl ?? service.baseUrl, '--client-id', service.clientId];
  args.push('--email', email_address, '--out', out, ...(options.args ?? []));
  const child = spawn(process.execPath, [RUN, ...args], {
    stdio: ['ignore', 'pipe', 'pipe'],
    env: { ...process.env, CONFORMANCE_PASSWORD: password, CONFORMANCE_CONTROL_TOKEN: service.controlToken },
  });
  const text = { stdout: '', stderr: '' };
  child.stdout.setEncoding('utf8').on('data', (chunk: string) => {
    text.stdout += chunk;
  });
  child.stderr.setEncoding('utf8').on('data', (chunk: string) => {
    text.stderr += chunk;
  });
  options.onStart?.(
    () => void child.kill('SIGINT'),
    () => text.stdout,
  );
  const [code] = (await once(child, 'close')) as [number | null];
  const report = await readFile(join(out, 'conformance.json'), 'utf8').catch(() => '{"sections":[],"left_behind":[]}');
  const client = await readFile(join(out, 'generated-client.json'), 'utf8').catch(() => 'null');
  const junit = await readFile(join(out, 'conformance.xml'), 'utf8').catch(() => '');
  await rm(out, { recursive: true, force: true });
  const { sections, left_behind } = JSON.parse(report) as {
    sections: { cases: CaseReport[] }[];
    left_behind: string[];
  };
  const cases = sections.flatMap((each) => each.cases);
  return { code, ...text, cases, leftBehind: left_behind, client: JSON.parse(client) as ClientReport | null, junit };
}

/** The failed cases, each with the beginning of its reason; at most twenty. */
export function failuresIn(run: SuiteRun): string[] {
  const failed = run.cases.filter(({ status }) => status === 'failed');
  return failed.slice(0, 20).map(({ id, reason }) => `${id}: ${reason?.slice(0, 300)}`);
}

/** Returns the content of the library as an administrator sees it, to check that a run leaves no objects in it. */
export async function holdings(service: ServiceProcess): Promise<Record<string, string[]>> {
  // The token may have expired, because the suite changes the service's clock.
  const { access_token: token } = await signIn(service);
  const held: Record<string, string[]> = {};
  for (const resource of ['collections', 'media', 'users', 'groups', 'tags', 'roles', 'memberships']) {
    const ids: string[] = [];
    let next: string | null = `/api2/${resource}?per_page=100`;
    while (next !== null) {
      const url: string = next.startsWith('http') ? next : service.baseUrl + next;
      const response: Response = await fetch(url, { headers: { authorization: `Bearer ${token}` } });
      if (!response.ok) throw new Error(`GET ${url}: ${response.status}`);
      const page = (await response.json()) as { items: { id: string }[]; links: { next?: string | null } };
      ids.push(...page.items.map(({ id }) => id));
      next = page.links.next ?? null;
    }
    held[resource] = ids.sort();
  }
  return held;
}
