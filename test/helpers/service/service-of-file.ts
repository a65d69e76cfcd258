import { afterAll } from 'vitest';
import { type ServiceProcess, type ServiceStart, startService } from './service-process.ts';

const LIMIT_MS = 120_000;

/** Starts the service for all tests of a file, at its top level, and stops it after them. Rejects when it does not start in time. */
export async function serviceOfFile(start: ServiceStart = {}): Promise<ServiceProcess> {
  const started = startService(start);
  afterAll(async () => (await started).stop());
  const late = new Promise<never>((_, reject) => {
    const timer = setTimeout(
      () => reject(new Error(`The service did not start within ${LIMIT_MS / 1000} s.`)),
      LIMIT_MS,
    );
    timer.unref();
    const clear = () => clearTimeout(timer);
    started.then(clear, clear);
  });
  return Promise.race([started, late]);
}
