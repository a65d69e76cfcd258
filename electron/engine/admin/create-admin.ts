import { AppError } from '../../../shared/contract/app-error.ts';
import type { EventData } from '../../../shared/contract/contract.ts';
import type { ThumbnailPicture } from '../../../shared/contract/file-calls.ts';
import { Emitter } from '../common/emitter.ts';
import type { Handlers } from '../common/handlers.ts';
import type { Clock } from '../ports/clock.ts';
import type { LineFiles } from '../ports/line-files.ts';
import type { Logger } from '../ports/logger.ts';
import type { Database } from '../store/database.ts';
import { accessHandlers } from './access-handlers.ts';
import { createAdminLog } from './admin-log.ts';
import { bulkDeleteHandlers } from './bulk-delete.ts';
import { asAdministrator, createDirectories, type DirectoriesOptions, directoryFactsOf } from './directories.ts';
import { groupHandlers, tagHandlers } from './group-handlers.ts';
import { groupsImportHandlers } from './groups-import-handlers.ts';
import { createImportMemory } from './import-memory.ts';
import { createAdminJobs } from './jobs/admin-jobs.ts';
import { JobStore } from './jobs/job-store.ts';
import { membersImportHandlers } from './members-import-handlers.ts';
import { peopleHandlers } from './people-handlers.ts';
import { peopleImportHandlers } from './people-import-handlers.ts';
import { roleHandlers } from './role-handlers.ts';
import { rolesImportHandlers } from './roles-import-handlers.ts';
import { type TagMergeOptions, tagMergeHandlers } from './tag-merge-handlers.ts';

type AdminCall = Extract<keyof Handlers, `${'admin' | 'access'}.${string}`>;

export interface AdminOptions {
  accounts: DirectoriesOptions['accounts'];
  clock: Clock;
  database: Database;
  files: LineFiles;
  logger: Logger;
  idOf(collectionId: string): string;
  onDidChangeAccess(siteId: string, collectionId: string): void;
  beginRead: TagMergeOptions['beginRead'];
  /** Sends the picture of a user. */
  setPicture(siteId: string, userId: string, picture: ThumbnailPicture): Promise<void>;
}

export interface Admin {
  handlers: Pick<Handlers, AdminCall>;
  onDidChange: Emitter<{ siteId: string }>;
  onDidLoseRights: Emitter<EventData<'onDidLoseRights'>>;
  onDidChangeTags: Emitter<{ siteId: string }>;
  onDidProgressTagMerge: Emitter<EventData<'onDidProgressTagMerge'>>;
  stop(): void;
}

/** Creates the part for administrators: users, groups, tags, roles and memberships of a library. */
export function createAdmin({
  accounts,
  clock,
  database,
  files,
  logger,
  beginRead,
  setPicture,
  ...access
}: AdminOptions): Admin {
  const onDidChange = new Emitter<{ siteId: string }>();
  const onDidLoseRights: Admin['onDidLoseRights'] = new Emitter();
  const onDidChangeTags = new Emitter<{ siteId: string }>();
  const onDidProgressTagMerge: Admin['onDidProgressTagMerge'] = new Emitter();
  const directories = createDirectories({ accounts, clock, changes: onDidChange, lost: onDidLoseRights });
  const log = createAdminLog({ files, clock, logger, onRefused: (siteId) => directories.lose(siteId) });
  const jobs = createAdminJobs({ store: new JobStore(database), clock, logger });
  const tools = { directories, log, jobs };
  const endForgetting = accounts.onDidChangeSites((sites) => {
    for (const { id, state } of sites) if (state === 'signed-out') jobs.forget(id);
  });
  const accessCalls = accessHandlers(tools, access);
  const peopleCalls = peopleHandlers(tools);
  const groupCalls = groupHandlers(tools);
  const roleCalls = roleHandlers(tools);
  const handlers: Admin['handlers'] = {
    async 'admin.read'({ siteId, isFresh }) {
      return directoryFactsOf(await directories.of(siteId, isFresh));
    },
    'admin.log': ({ siteId, offset, limit }) => log.read(siteId, { offset, limit }),
    async 'admin.setPicture'({ siteId, userId, picture }) {
      const targetName = (await directories.of(siteId)).users.get(userId)?.name ?? '';
      const change = { action: 'setPicture', targetId: userId, targetName, before: '', after: '' };
      await log.record(siteId, change, () => asAdministrator(setPicture(siteId, userId, picture)));
      return null;
    },
    ...peopleCalls,
    ...peopleImportHandlers(tools, peopleCalls),
    ...bulkDeleteHandlers(tools),
    ...groupCalls,
    ...groupsImportHandlers(tools, { ...groupCalls, ...peopleCalls }),
    ...tagHandlers(tools, onDidChangeTags),
    ...tagMergeHandlers(tools, onDidChangeTags, { progress: onDidProgressTagMerge, beginRead }),
    ...roleCalls,
    ...rolesImportHandlers(tools, roleCalls),
    ...accessCalls,
    ...membersImportHandlers({ directories, memory: createImportMemory(files), jobs }, accessCalls),
    ...jobs.handlers,
  };
  return {
    handlers: noticingLoss(handlers, (siteId) => directories.lose(siteId)),
    onDidChange,
    onDidLoseRights,
    onDidChangeTags,
    onDidProgressTagMerge,
    stop() {
      endForgetting();
      jobs.stop();
      directories.stop();
    },
  };
}

/** Returns the same calls; `onRefused` is called when the library refused one because the account is no administrator. */
function noticingLoss(handlers: Admin['handlers'], onRefused: (siteId: string) => void): Admin['handlers'] {
  type Call = (input: { siteId?: string; query?: { siteId: string } }) => Promise<unknown>;
  const noticing = Object.entries(handlers as unknown as Record<string, Call>).map(([name, handler]) => {
    const call: Call = async (input) => {
      const siteId = input.siteId ?? input.query?.siteId;
      try {
        const answer = await handler(input);
        if (siteId !== undefined && namesRefusal(answer)) onRefused(siteId);
        return answer;
      } catch (error) {
        if (siteId !== undefined && error instanceof AppError && error.code === 'admin.only') onRefused(siteId);
        throw error;
      }
    };
    return [name, call];
  });
  return Object.fromEntries(noticing);
}

/** Returns whether a part of a change failed because the account is no administrator. */
function namesRefusal(answer: unknown): boolean {
  const { failed = [], left = [] } = (answer ?? {}) as Partial<Record<'failed' | 'left', unknown>>;
  const codeOf = (entry: unknown) => (entry as { error?: { code?: unknown } } | null)?.error?.code;
  return [failed, left].some((list) => Array.isArray(list) && list.some((entry) => codeOf(entry) === 'admin.only'));
}
