import type { z } from 'zod';
import { type WatchRules, watchRulesSchema } from '../../../shared/contract/watch-rules.ts';
import type { FolderRules } from '../../../shared/model/watch/apply-rules.ts';
import type { WatchedFileFacts } from '../../../shared/model/watch/watched-file.ts';

type RulesInput = z.input<typeof watchRulesSchema>;
type RuleInput = NonNullable<RulesInput['rules']>[number];

/** What a sample of rules names; everything else has the value that it has by default. */
export interface RulesSample {
  rules?: (Omit<RuleInput, 'id' | 'name'> & { id: string })[];
  conditions?: RulesInput['defaults']['conditions'];
  settings?: Partial<RulesInput['defaults']['settings']>;
  existingFiles?: WatchRules['existingFiles'];
}

/** Returns the rules of a watched folder with the name “Station”, as the engine reads them from its database. */
export function sampleRules({ rules = [], conditions, settings, existingFiles }: RulesSample = {}): FolderRules {
  const inbox = { kind: 'fixed', collection: { kind: 'ref', ref: 'Inbox' } } as const;
  const parsed = watchRulesSchema.parse({
    existingFiles,
    rules: rules.map((rule) => ({ name: `Rule ${rule.id}`, ...rule })),
    defaults: { conditions, settings: { siteId: 'site', collection: inbox, ...settings } },
  });
  return { ...parsed, folderName: 'Station' };
}

/** Local noon of 20 November 2026. */
export const SAMPLE_NOW = new Date(2026, 10, 20, 12).getTime();

/** Returns a finished recording of 1 MB that was found an hour ago. */
export function sampleFile(path: string, other: Partial<WatchedFileFacts> = {}): WatchedFileFacts {
  return {
    path,
    kind: 'file',
    sizeBytes: 1_000_000,
    mtimeMs: SAMPLE_NOW - 7_200_000,
    firstSeenMs: SAMPLE_NOW - 3_600_000,
    unchangedSinceMs: SAMPLE_NOW - 3_600_000,
    number: 7,
    isExisting: false,
    isHandled: false,
    recording: null,
    ...other,
  };
}
