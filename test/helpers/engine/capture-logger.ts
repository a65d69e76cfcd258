import type { Logger } from '../../../electron/engine/ports/logger.ts';

/** Collects log entries for assertions. */
export interface CaptureLogger extends Logger {
  lines: { level: string; event: string; fields: Record<string, unknown> }[];
  /** All log entries as one text. */
  text(): string;
}

export function captureLogger(): CaptureLogger {
  const lines: CaptureLogger['lines'] = [];
  const at =
    (level: string) =>
    (event: string, fields: Record<string, unknown> = {}) => {
      lines.push({ level, event, fields });
    };
  return {
    lines,
    text: () => JSON.stringify(lines),
    debug: at('debug'),
    info: at('info'),
    warn: at('warn'),
    error: at('error'),
  };
}
