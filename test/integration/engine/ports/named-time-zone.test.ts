// The time zone of a process that starts with a setting that names no zone.
import { execFile } from 'node:child_process';
import { mkdtemp, rm, symlink } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { afterAll, beforeAll, expect, it } from 'vitest';

const MODULE = new URL('../../../../electron/engine/ports/system/named-time-zone.ts', import.meta.url).href;
const PROGRAM = `await import(${JSON.stringify(MODULE)});
const at = new Date(Date.UTC(2031, 6, 1, 12));
console.log(JSON.stringify([Intl.DateTimeFormat().resolvedOptions().timeZone, at.getHours()]));`;

let folder: string;
beforeAll(async () => {
  folder = await mkdtemp(join(tmpdir(), 'mediadesk-zone-'));
  await symlink('/usr/share/zoneinfo/Europe/Vienna', join(folder, 'localtime'));
});
afterAll(() => rm(folder, { recursive: true, force: true }));

/** Returns the zone of a program started with `TZ`, and its hour of day at noon UTC on a summer day. */
async function zoneOf(TZ: string | undefined): Promise<[string, number]> {
  const env: NodeJS.ProcessEnv = { ...process.env, TZ };
  if (TZ === undefined) delete env.TZ;
  const { stdout } = await promisify(execFile)(process.execPath, ['--input-type=module', '--eval', PROGRAM], { env });
  return JSON.parse(stdout) as [string, number];
}

it('is the zone that the path of its file names, with its hours in summer', async () => {
  expect(await zoneOf('/usr/share/zoneinfo/Europe/Vienna')).toEqual(['Europe/Vienna', 14]);
  expect(await zoneOf(`:${join(folder, 'localtime')}`)).toEqual(['Europe/Vienna', 14]);
  expect(await zoneOf(':/usr/share/zoneinfo/posix/America/New_York')).toEqual(['America/New_York', 8]);
});

it('is the same for the file of the system as without a setting', async () => {
  expect(await zoneOf(':/etc/localtime')).toEqual(await zoneOf(undefined));
});

it('has the offset of the setting when no zone is named', async () => {
  expect(await zoneOf('Etc/Unknown')).toEqual(['UTC', 12]);
  expect(await zoneOf('UTC-3')).toEqual(['Etc/GMT-3', 15]);
  expect(await zoneOf(join(folder, 'missing'))).toEqual(['UTC', 12]);
});

it('stays the one that the system names', async () => {
  expect(await zoneOf('Asia/Tokyo')).toEqual(['Asia/Tokyo', 21]);
});
