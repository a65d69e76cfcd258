import type { SiteReport } from './report.ts';

/** The commands of the parent to the process of the servers. They are plain data. */
export type Command = { id: number; caseId: string } & (
  | { kind: 'open'; speed: number; epochMs: number }
  | { kind: 'report' }
  | { kind: 'close' }
);

export interface CommandReply {
  id: number;
  value: { baseUrl: string } | SiteReport | null;
  error: string | null;
}
