import type { BrowserWindow } from 'electron';
import { appError } from '../../shared/contract/app-error.ts';
import type { Engine } from '../engine/engine.ts';
import { type Logger, silentLogger } from '../engine/ports/logger.ts';

export function startEngine(_options: { profileDir: string; window(): BrowserWindow | null }): {
  logger: Logger;
  engine: Promise<Engine>;
} {
  const engine: Engine = {
    async call(name) {
      throw appError('internal', { message: `${name}: no engine yet` });
    },
    on: () => () => undefined,
    startUploads: () => undefined,
    whenUploadsIdle: async () => undefined,
    stop: async () => undefined,
  };
  return { logger: silentLogger, engine: Promise.resolve(engine) };
}
