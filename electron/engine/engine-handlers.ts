import { AppError, type AppErrorData, appError } from '../../shared/contract/app-error.ts';
import type { EngineCallName } from '../../shared/contract/contract.ts';
import { uploadOutcomes } from '../../shared/model/uploads/upload-counts.ts';
import type { Handlers } from './common/handlers.ts';
import { type EngineCheckTools, engineChecks } from './doctor/engine-checks.ts';
import { runDoctor } from './doctor/run-doctor.ts';
import type { EngineBase } from './engine-base.ts';
import type { EngineParts } from './engine-parts.ts';
import { listableCollections } from './library/collections/listable-collections.ts';
import { type ManifestHandlers, manifestHandlers } from './manifest/manifests.ts';
import { networkHandlers } from './network-handlers.ts';
import { nodeFiles } from './ports/system/node-files.ts';
import { nodeProfileFacts } from './ports/system/node-profile-facts.ts';
import { nodeSaveFile } from './ports/system/node-save-file.ts';
import { createContinueRestored } from './restored-library.ts';
import { clockAheadMs } from './sites/clock-ahead.ts';

type OwnCall = Extract<EngineCallName, `${'app' | 'sites'}.${string}`>;

/**
 * Returns all calls of the contract: those of the parts, and those about the engine and its accounts. `notices`: reports from the
 * opening of the store.
 */
export function engineHandlers(base: EngineBase, parts: EngineParts, notices: AppErrorData[]): Handlers {
  return {
    ...appHandlers(base, parts, notices),
    ...networkHandlers(base),
    ...siteHandlers(base, parts),
    ...parts.library.handlers,
    ...parts.mirrorSync.handlers,
    ...parts.uploads.handlers,
    ...parts.watch.handlers,
    ...parts.edits.handlers,
    ...manifestCalls(base, parts),
    ...parts.itemContents.handlers,
    ...parts.fileChanges.handlers,
    ...parts.downloads.handlers,
    ...parts.waveforms,
    ...parts.searches.handlers,
    ...parts.mediaFactsCalls.handlers,
    ...parts.admin.handlers,
  };
}

function appHandlers(
  { host, keychain, network, accounts, clock, database }: EngineBase,
  { uploads }: EngineParts,
  notices: AppErrorData[],
): Pick<Handlers, Extract<OwnCall, `app.${string}`>> {
  const doctorTools: EngineCheckTools = {
    profileDir: host.profileDir,
    database,
    clock,
    files: nodeFiles,
    facts: nodeProfileFacts,
    keychain,
    network,
    keychainProblem: () => accounts.keychainProblem(),
    sites: () => accounts.list(),
    clientFor: accounts.clientFor,
    counts: () => uploads.feed.totals().counts,
  };
  return {
    'app.info': async () => ({
      version: host.version,
      platform: host.platform,
      profileDir: host.profileDir,
      keychain: { kind: keychain.kind, problem: accounts.keychainProblem()?.toData() ?? null },
      presets: host.presets,
      theme: host.theme?.() ?? 'system',
      hourCycle: host.hourCycle ?? 'h23',
      weekStart: host.weekStart ?? 1,
      notices,
    }),
    'app.doctor': (options) => runDoctor(engineChecks(doctorTools, options?.all ?? false), clock.now()),
  };
}

function siteHandlers(
  { records, accounts, breakers, clock, probe }: EngineBase,
  { uploads, edits, mirrorSync, watch }: EngineParts,
): Pick<Handlers, Extract<OwnCall, `sites.${string}`>> {
  const goOn = createContinueRestored({
    accounts,
    breakers,
    edits,
    mirrorSync,
    watch,
    queue: uploads.queue,
    batches: uploads.rows.batches,
  });
  return {
    'sites.list': async () => accounts.list(),
    'sites.signIn': (input) => accounts.signIn(input),
    'sites.pasteCode': async ({ text }) => {
      accounts.pasteCode(text);
      return null;
    },
    'sites.cancelSignIn': async () => {
      accounts.cancelSignIn();
      return null;
    },
    'sites.unsent': async ({ siteId }) => {
      if (records.get(siteId) === null) throw appError('site.unknown', { details: { siteId } });
      const { pending, failed, needsDecision } = uploadOutcomes(uploads.rows.journal.tallyOfSite(siteId));
      return { edits: edits.unsentOf(siteId), uploads: { pending, failed, needsDecision } };
    },
    'sites.continueRestored': ({ siteId }) => goOn(siteId),
    'sites.signOut': async ({ siteId }) => {
      await accounts.signOut(siteId);
      return null;
    },
    'sites.check': async ({ siteId }) => {
      if (records.get(siteId) === null) throw appError('site.unknown', { details: { siteId } });
      try {
        await probe(siteId);
        return { problem: null };
      } catch (error) {
        if (error instanceof AppError) return { problem: error.toData() };
        throw error;
      }
    },
    'sites.clock': async ({ siteId }) => ({ aheadMs: await clockAheadMs(accounts.clientFor(siteId), clock) }),
  };
}

function manifestCalls(
  { clock, random, walker }: EngineBase,
  { edits, library, mirrorSync }: EngineParts,
): ManifestHandlers {
  return manifestHandlers({
    files: nodeFiles,
    save: nodeSaveFile,
    clock,
    random,
    readItems: edits.readItems,
    keepPlan: edits.keepPlan,
    realPath: (path) => walker.realPath(path),
    collections: (siteId) => listableCollections(library, siteId),
    fileFacts: (siteId, ids) => mirrorSync.mirrors.fileFacts(siteId, ids),
  });
}
