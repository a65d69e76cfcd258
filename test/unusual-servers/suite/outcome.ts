import type { AppErrorData } from '../../../shared/contract/app-error.ts';
import type { UploadRow } from '../../../shared/contract/uploads.ts';
import type { SiteReport } from '../server/report.ts';

/** The facts about a run at its end. */
export interface Outcome {
  rows: UploadRow[];
  /** By path: the SHA-256 of each local file. */
  hashes: ReadonlyMap<string, string>;
  /** By path: every error that a row showed during the run, each once. */
  errors: ReadonlyMap<string, readonly AppErrorData[]>;
  library: SiteReport;
  /** How many of the library's exchanges came before the files were added. */
  beforeUpload: number;
  /** On the engine's clock, from adding the files to the end. */
  tookMs: number;
  /** The reason why the engine did not become idle, or null. */
  unfinished: string | null;
}
