// Two services in one process, so that both run the same compiled code: the second one has metrics. Prints one line of JSON with
// where they listen, and ends with its input.
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { NO_CONFIG } from '../../../service/app/config.ts';
import { NOT_OPERATED } from '../../../service/operate/operate-options.ts';
import { type RunningService, startService } from '../../../service/start-service.ts';

/** The line that this worker prints: the service without metrics, then the one with them. */
export type ServicePair = [PairMember, PairMember];

interface PairMember {
  baseUrl: string;
  clientId: string;
  admin: { email_address: string; password: string };
  operationsUrl: string;
}

const folder = mkdtempSync(join(tmpdir(), 'mediadesk-bench-'));
const started: RunningService[] = [];
for (const name of ['without', 'with']) {
  started.push(
    await startService({
      dataDir: join(folder, name),
      host: '127.0.0.1',
      port: 0,
      baseUrl: undefined,
      seed: 'bulk:1000:100',
      config: NO_CONFIG,
      passwordCost: { N: 2 ** 10, r: 8, p: 1 },
      log: () => {},
      operate: name === 'with' ? { ...NOT_OPERATED, operations: { host: '127.0.0.1', port: 0 } } : NOT_OPERATED,
    }),
  );
}
const pair = started.map(({ ready }) => ({
  baseUrl: ready.base_url,
  clientId: ready.client_id,
  admin: ready.admin,
  operationsUrl: ready.operations_url ?? '',
}));
console.log(JSON.stringify(pair));
process.stdin.resume().once('end', async () => {
  for (const service of started) await service.stop();
  rmSync(folder, { recursive: true });
  process.exit(0);
});
