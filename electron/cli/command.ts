import type { SettingsPatch } from '../../shared/contract/settings.ts';
import type { DuplicateChoice, PublishChoice, SourceChoice } from '../../shared/contract/upload-choices.ts';
import type { UploadFilter, UploadSelection } from '../../shared/contract/uploads.ts';
import type { Priority } from '../../shared/model/priorities.ts';

/** When a pause ends, as the user gives it: an instant, the next time that a clock shows, or a span. */
export type Until = { kind: 'at'; epochMs: number } | { kind: 'clock'; time: string } | { kind: 'in'; ms: number };

/** What a command line asks for, checked and ready to run. */
export type Command =
  | { kind: 'help'; topic: string | null }
  | { kind: 'version' }
  | { kind: 'sign-in'; baseUrl: string; clientId: string; browser: 'system' | 'none' }
  | { kind: 'sign-out' }
  | { kind: 'sites' }
  | { kind: 'collections'; tree: boolean }
  | {
      kind: 'upload';
      paths: string[];
      /** An id, a slug, a path or a name; not checked. */
      collection: string;
      titleTemplate: string | null;
      tags: string[];
      publish: PublishChoice;
      duplicates: DuplicateChoice;
      sidecars: boolean;
      source: SourceChoice;
      wait: boolean;
    }
  | { kind: 'queue-list'; filter: UploadFilter; batchId: string | null }
  | { kind: 'queue-change'; action: 'pause' | 'retry' | 'cancel'; selection: UploadSelection }
  /** Names another collection for a batch whose collection the library does not know, and retries. */
  | { kind: 'queue-retry-in'; batchId: string; collection: string }
  | { kind: 'queue-pause-until'; until: Until }
  | { kind: 'queue-next'; selection: UploadSelection }
  | { kind: 'queue-priority'; selection: UploadSelection; priority: Priority }
  | { kind: 'queue-move'; ids: string[]; before: string | null }
  | { kind: 'settings'; patch: SettingsPatch }
  | { kind: 'duplicates-list'; batchId: string | null }
  | { kind: 'duplicates-resolve'; choice: 'skip' | 'upload'; selection: UploadSelection }
  | { kind: 'items-list'; batchId: string | null }
  /** `mediaId` null: a new item. */
  | { kind: 'items-choose'; uploadId: string; mediaId: string | null }
  | { kind: 'queue-resume'; selection: UploadSelection; wait: boolean }
  | { kind: 'receipt'; batchId: string | null; format: 'json' | 'csv' | 'html' }
  | { kind: 'receipts-search'; text: string }
  | { kind: 'doctor'; all: boolean };

/** What holds for every command. */
export interface GlobalOptions {
  /** null: the folder of the window app. */
  profileDir: string | null;
  keychain: 'system' | 'memory' | 'file';
  /** File descriptor to read the passphrase of the keychain file from. */
  passphraseFd: number | null;
  /** File to read it from. */
  passphraseFile: string | null;
  /** Which library: its id, address or host name. null: the only one. */
  site: string | null;
  /** Whose account there, by name or number. null: the only one. */
  account: string | null;
  json: boolean;
  verbose: boolean;
}

export interface CommandLine {
  command: Command;
  globals: GlobalOptions;
}

/** A command line that can't be understood: a sentence, and the command whose help shows how it is done. */
export class UsageError extends Error {
  override readonly name = 'UsageError';
  readonly topic: string | null;

  constructor(message: string, topic: string | null) {
    super(message);
    this.topic = topic;
  }
}
