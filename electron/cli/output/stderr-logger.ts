import { terminalJson } from '../../../shared/api/terminal-text.ts';
import type { Logger } from '../../engine/ports/logger.ts';
import { printable } from './text-format.ts';

/** Makes a logger that writes one line per event to standard error: time, level, event, fields. */
export function stderrLogger(stderr: NodeJS.WritableStream): Logger {
  const write = (level: string) => (event: string, fields?: Record<string, unknown>) => {
    const fieldsText = fields === undefined ? '' : ` ${printable(terminalJson(fields))}`;
    stderr.write(`${new Date().toISOString()} ${level} ${printable(event)}${fieldsText}\n`);
  };
  return { debug: write('debug'), info: write('info'), warn: write('warn'), error: write('error') };
}
