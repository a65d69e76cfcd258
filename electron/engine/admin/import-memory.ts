import { z } from 'zod';
import { madeMembershipSchema } from '../../../shared/contract/admin/members-import.ts';
import { type MadeMembership, memberKeyOf } from '../../../shared/model/access/members-import.ts';
import type { LineFiles } from '../ports/line-files.ts';

const entrySchema = z.object({ source: z.string(), isMade: z.boolean(), membership: madeMembershipSchema });

/** Which memberships the imports of each source created, by account, with their ids. Nothing else is ever removed by an import. */
export interface ImportMemory {
  read(siteId: string, source: string): Promise<MadeMembership[]>;
  /** Appends that an import created a membership, or that it is gone. */
  note(siteId: string, source: string, isMade: boolean, membership: MadeMembership): Promise<void>;
}

/** Stores the memory as one file of JSON lines for each account, to which lines are only appended. */
export function createImportMemory(files: LineFiles): ImportMemory {
  const fileOf = (siteId: string) => `imports-${encodeURIComponent(siteId)}.jsonl`;
  return {
    async read(siteId, source) {
      const made = new Map<string, MadeMembership>();
      for (const line of await files.read(fileOf(siteId))) {
        const entry = entryOf(line);
        if (entry?.source !== source) continue;
        if (entry.isMade) made.set(memberKeyOf(entry.membership), entry.membership);
        else made.delete(memberKeyOf(entry.membership));
      }
      return [...made.values()];
    },
    note(siteId, source, isMade, membership) {
      const entry = { source, isMade, membership };
      return files.append(fileOf(siteId), JSON.stringify(entry));
    },
  };
}

/** Returns null for a line that a power failure cut: its membership then counts as made by others, and stays. */
function entryOf(line: string): z.output<typeof entrySchema> | null {
  try {
    const entry = entrySchema.safeParse(JSON.parse(line));
    return entry.success ? entry.data : null;
  } catch {
    return null;
  }
}
