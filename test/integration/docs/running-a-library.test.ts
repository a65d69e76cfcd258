// The examples and tables of docs/running-a-library.md, on a real service.
import { type ChildProcess, execFile, spawn } from 'node:child_process';
import { once } from 'node:events';
import { mkdirSync, mkdtempSync, readdirSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { createInterface } from 'node:readline';
import { promisify } from 'node:util';
import { afterAll, beforeAll, expect, it } from 'vitest';
import { commandLinesOf } from '../../helpers/docs/command-examples.ts';
import { wordsOfShell } from '../../helpers/docs/shell-words.ts';

const ROOT = join(import.meta.dirname, '..', '..', '..');
const PROGRAM = join(ROOT, 'electron', 'cli', 'mediadesk.ts');
const page = readFileSync(join(ROOT, 'docs', 'running-a-library.md'), 'utf8');
const folder = mkdtempSync(join(tmpdir(), 'running-a-library-'));
const at = (path: string) => join(folder, path);

/** The words of an example behind the program, with folders and ports that are free here. */
function wordsOf(example: string): string[] {
  const here = example
    .replaceAll(/(?<= )\/(?:var|backups)\//g, (path) => folder + path)
    .replaceAll(/(?<=\W)(?:8080|9464)\b/g, '0');
  return wordsOfShell(here.replace(/^mediadesk /, ''));
}

const [serve = '', ...others] = commandLinesOf(page);
let child: ChildProcess;
let operations = '';

beforeAll(async () => {
  for (const made of ['var/lib', 'var/log/library', 'backups']) mkdirSync(at(made), { recursive: true });
  child = spawn(process.execPath, [PROGRAM, ...wordsOf(serve)], { stdio: ['ignore', 'pipe', 'inherit'] });
  const [line] = await once(createInterface({ input: child.stdout ?? process.stdin }), 'line');
  const ready = JSON.parse(line as string) as { operations_url: string; listen_url: string };
  operations = ready.operations_url;
  await fetch(`${ready.listen_url}/api2/media`);
});
afterAll(async () => {
  child.kill('SIGTERM');
  if (child.exitCode === null) await once(child, 'exit');
  rmSync(folder, { recursive: true, force: true });
});

it('starts a service with a second listener and a request log, as the first example says', async () => {
  expect((await fetch(`${operations}/live`)).status).toBe(200);
  const log = () => readFileSync(at('var/log/library/requests.jsonl'), 'utf8');
  await expect.poll(log, { timeout: 30_000 }).toContain('\n');
  const [line = ''] = log().split('\n');
  const [example = ''] = page.match(/^\{"time":.*$/m) ?? [];
  expect(Object.keys(JSON.parse(line))).toEqual(Object.keys(JSON.parse(example)));
});

it('names the checks of /ready with the figures that they have', async () => {
  const { checks } = (await (await fetch(`${operations}/ready`)).json()) as { checks: Record<string, object> };
  const [example = ''] = page.match(/^\{"status":[\s\S]*?\}\}\}$/m) ?? [];
  const documented = JSON.parse(example.replaceAll('\n', '')).checks;
  expect(Object.keys(checks)).toEqual(Object.keys(documented));
  for (const name of ['free_space', 'event_loop', 'database']) {
    expect(Object.keys(checks[name] ?? {})).toEqual(Object.keys(documented[name]));
  }
});

it('names every metric, and no other', async () => {
  const text = await (await fetch(`${operations}/metrics`)).text();
  const served = [...text.matchAll(/^# TYPE (\w+) /gm)].map(([, name]) => name);
  const table = page.split('\n## Metrics\n')[1]?.split('\nUseful alarms')[0] ?? '';
  const documented = [...table.matchAll(/^\| (`[^|]*`) \|/gm)].flatMap(([, cell = '']) =>
    cell.split(/[`, ]+/).filter(Boolean),
  );
  expect(documented.sort()).toEqual(served.sort());
});

it('makes, checks and restores a backup of the running service with the other examples', async () => {
  expect(others).toHaveLength(3);
  for (const example of others) {
    const { stderr } = await promisify(execFile)(process.execPath, [PROGRAM, ...wordsOf(example)]);
    expect(stderr).toBe('');
  }
  expect(readdirSync(at('backups/library-2026-11-29')).sort()).toEqual([
    'admin.json',
    'library.sqlite',
    'manifest.jsonl',
    'stored',
  ]);
  expect(readdirSync(at('var/lib/library-restored')).sort()).toEqual(['admin.json', 'library.sqlite', 'stored']);
});

it('names every code that the check of a backup can report', () => {
  const source = readFileSync(join(ROOT, 'service', 'archive', 'verify.ts'), 'utf8');
  const codes = new Set([...source.matchAll(/^ {2}\| '([a-z0-9.-]+)'/gm)].map(([, code]) => code));
  const table = page.split('\n| Code | Meaning |\n')[1]?.split('\n\n')[0] ?? '';
  const documented = new Set(
    [...table.matchAll(/`([a-z]+\.[a-z0-9-]+)`/g)].map(([, code]) => code).filter((code) => code !== 'admin.json'),
  );
  expect(codes.size).toBeGreaterThan(10);
  expect(documented).toEqual(codes);
});
