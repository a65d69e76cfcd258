import type { Logger } from '../engine/ports/logger.ts';
import { printable } from './text-format.ts';

/** What the engine does, a line each on standard error: time, level, event, facts. */
export function stderrLogger(stderr: NodeJS.WritableStream): Logger {
  const write = (level: string) => (event: string, fields?: Record<string, unknown>) => {
    const facts = fields === undefined ? '' : ` ${printable(JSON.stringify(fields))}`;
    stderr.write(`${new Date().toISOString()} ${level} ${event}${facts}\n`);
  };
  return { debug: write('debug'), info: write('info'), warn: write('warn'), error: write('error') };
}
