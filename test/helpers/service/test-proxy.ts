// With `MEDIADESK_TEST_PROXY=nginx`, clients reach every service that tests start through an nginx of its own, as in an institution.
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { freePorts } from '../../destinations/processes.ts';
import { startNginx } from '../../institution/nginx.ts';

export interface TestProxy {
  /** The address for clients. */
  readonly url: string;
  /** Starts it in front of the processes of a library. */
  start(ports: readonly number[]): Promise<void>;
  stop(): Promise<void>;
}

/** Returns the proxy for a service that has none of its own; undefined without the variable. */
export async function testProxy(): Promise<TestProxy | undefined> {
  if (process.env.MEDIADESK_TEST_PROXY !== 'nginx') {
    if (process.env.MEDIADESK_TEST_PROCESSES === '2') throw new Error('Two processes need MEDIADESK_TEST_PROXY=nginx.');
    return undefined;
  }
  const [front = 0] = await freePorts(1);
  const folder = mkdtempSync(join(tmpdir(), 'library-proxy-'));
  let stop = async () => {};
  return {
    url: `http://127.0.0.1:${front}`,
    async start(ports) {
      ({ stop } = await startNginx(folder, front, ports));
    },
    async stop() {
      await stop();
      rmSync(folder, { recursive: true, force: true });
    },
  };
}
