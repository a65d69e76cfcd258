import { chmodSync, existsSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, expect, test } from 'vitest';
import { clientWith, type ServiceClient } from '../../../helpers/service/service-client.ts';
import { type ServiceProcess, startService } from '../../../helpers/service/service-process.ts';
import { png, wav } from '../../../helpers/service/service-samples.ts';
import { signIn } from '../../../helpers/service/service-sign-in.ts';

let folder: string;
let service: ServiceProcess | undefined;
beforeEach(() => {
  folder = mkdtempSync(join(tmpdir(), 'library-tools-'));
});
afterEach(async () => {
  await service?.stop();
  service = undefined;
  rmSync(folder, { recursive: true });
});

/** Starts the service with this shell script as its ffprobe, which processes every video and audio file. */
async function withTool(script: string): Promise<ServiceClient> {
  const tool = join(folder, 'ffprobe');
  writeFileSync(tool, `#!/bin/sh\n${script}\n`);
  chmodSync(tool, 0o755);
  service = await startService({ env: { ...process.env, PATH: `${folder}:/usr/bin:/bin` } });
  await service.control('PATCH', '/settings', { processing: { encode_up_to_bytes: 0 } });
  return clientWith(service, await signIn(service, { email: 'admin@library.example' }));
}

async function until(ready: () => boolean): Promise<void> {
  const deadline = Date.now() + 30_000;
  while (!ready()) {
    if (Date.now() > deadline) throw new Error('It did not come about.');
    await new Promise((resolve) => setTimeout(resolve, 20));
  }
}

const isRunning = (pid: number) => {
  try {
    process.kill(pid, 0);
    return !readFileSync(`/proc/${pid}/stat`, 'latin1').includes(') Z ');
  } catch {
    return false;
  }
};
const starts = () => readFileSync(join(folder, 'starts'), 'utf8').trim().split('\n').length;

test.runIf(process.platform === 'linux')(
  'a file whose processing kills the service ends in error after three starts, and others are processed',
  { timeout: 300_000 },
  async () => {
    // SIGKILL during the work, like a crash in native code or a hang that an operator ends.
    const admin = await withTool(
      `
for each; do last="$each"; done
echo x >> ${folder}/starts
if grep -q KILLER "\${last#file:}"; then
  until [ -e ${folder}/all-there ]; do sleep 0.05; done
  kill -KILL $PPID
  exec sleep 60
fi
echo '{"streams":[{"codec_type":"audio","duration":"2"}],"format":{"duration":"2"}}'`,
    );
    const running = service as ServiceProcess;
    const item = await admin.createItem('Killer');
    const killer = Buffer.concat([wav(), Buffer.from('KILLER')]);
    const [first, second, third] = [
      await admin.upload(item, 'a.wav', killer),
      await admin.upload(item, 'b.wav', wav()),
      await admin.upload(item, 'c.png', png()),
    ];
    writeFileSync(join(folder, 'all-there'), '');
    let kills = 0;
    for (;;) {
      const pid = running.pid;
      const hasEnded = () => running.log().includes('The service ended 3 times');
      await until(() => !isRunning(pid) || hasEnded());
      if (hasEnded()) break;
      kills += 1;
      expect(kills).toBeLessThan(5);
      // Waits until the process has exited.
      await running.kill9();
      await running.restart();
    }
    expect(kills).toBe(3);
    expect(await admin.processed(first)).toMatchObject({ status: 'error', encodings: [] });
    for (const file of [second, third]) expect((await admin.processed(file)).status).toBe('complete');
  },
);

test('a file is processed after five orderly stops, which do not count as crashes', { timeout: 300_000 }, async () => {
  const admin = await withTool(`echo x >> ${folder}/starts
if [ $(wc -l < ${folder}/starts) -le 5 ]; then exec sleep 60; fi
echo '{"streams":[{"codec_type":"audio","duration":"2"}],"format":{"duration":"2"}}'`);
  const running = service as ServiceProcess;
  const file = await admin.upload(await admin.createItem('Stopped'), 'a.wav', wav());
  for (let count = 1; count <= 5; count += 1) {
    await until(() => existsSync(join(folder, 'starts')) && starts() === count);
    await running.restart();
  }
  expect((await admin.processed(file)).status).toBe('complete');
  expect(starts()).toBe(6);
});

test.each([
  ['the file', (path: string) => path],
  ['its item', (path: string) => path.replace(/\/files\/.*$/, '')],
])('a tool ends when %s is deleted', { timeout: 300_000 }, async (_what, deleted) => {
  const admin = await withTool(`echo $$ > ${folder}/pid.part; mv ${folder}/pid.part ${folder}/pid; exec sleep 60`);
  const file = await admin.upload(await admin.createItem('Deleted'), 'a.wav', wav());
  await until(() => existsSync(join(folder, 'pid')));
  const pid = Number(readFileSync(join(folder, 'pid'), 'utf8'));
  expect(isRunning(pid)).toBe(true);
  expect((await admin.delete(deleted(file))).status).toBe(204);
  await until(() => !isRunning(pid));
  const next = await admin.upload(await admin.createItem('Next'), 'b.png', png());
  expect((await admin.processed(next)).status).toBe('complete');
});

test.runIf(process.platform === 'linux')('a tool ends when the service is killed', { timeout: 300_000 }, async () => {
  const admin = await withTool(`echo $$ > ${folder}/pid.part; mv ${folder}/pid.part ${folder}/pid; exec sleep 60`);
  await admin.upload(await admin.createItem('Killed'), 'a.wav', wav());
  await until(() => existsSync(join(folder, 'pid')));
  const pid = Number(readFileSync(join(folder, 'pid'), 'utf8'));
  await service?.kill9();
  await until(() => !isRunning(pid));
});
