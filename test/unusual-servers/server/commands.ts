import type { SiteReport } from './report.ts';

/** What the parent asks of the process of the servers. All of it is plain data. */
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
