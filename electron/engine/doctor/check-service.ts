import type { MediaFile } from '../../../shared/api/files.ts';
import { TOKENINFO_PATH } from '../../../shared/api/oauth.ts';
import { AppError } from '../../../shared/contract/app-error.ts';
import type { Finding } from '../../../shared/contract/doctor.ts';
import type { Site } from '../../../shared/contract/sites.ts';
import { existing } from '../api/existing.ts';
import { listFiles } from '../api/files.ts';
import type { SiteClient } from '../api/http-client.ts';
import { getMedia } from '../api/media.ts';
import { inParallel } from '../common/in-parallel.ts';
import type { Clock } from '../ports/clock.ts';
import type { Database, SqlRow } from '../store/database.ts';
import { checkOrphans } from './check-orphans.ts';
import { counted, fine, firstOf, problem, warning } from './findings.ts';
import { DELETED_HERE } from './own-deletions.ts';

export interface ServiceCheckTools {
  database: Database;
  clock: Clock;
  clientFor(siteId: string): SiteClient;
  /** Whether every complete upload is checked, not only the latest ones. */
  all: boolean;
}

/** The number of complete uploads that are searched in their library unless all are requested. */
const LATEST = 100;
const PARALLEL = 4;
/** The tolerated difference between the clocks of the library and of this computer. */
const CLOCK_TOLERANCE_MS = 120_000;

/** Checks one library: whether the sign-in works, and whether it has the items that this profile expects. */
export async function checkService(site: Site, tools: ServiceCheckTools): Promise<Finding[]> {
  const details = { site: site.baseUrl };
  const client = tools.clientFor(site.id);
  const findings: Finding[] = [];
  try {
    findings.push(...(await checkAccess(client, tools.clock, details)));
  } catch (error) {
    if (!(error instanceof AppError)) throw error;
    const code = error.code === 'sign-in.required' ? 'service.not-signed-in' : 'service.unreachable';
    const message = `${site.baseUrl}: ${error.message} Its contents weren’t checked.`;
    const make = code === 'service.not-signed-in' ? warning : problem;
    return [make({ code, message, nextStep: error.nextStep, details: { ...details, code: error.code } })];
  }
  findings.push(
    ...(await checkUploads(site, client, tools)),
    ...(await checkCancelled(site, client, tools)),
    ...(await checkOrphans(site, client, tools)),
  );
  return findings;
}

async function checkAccess(client: SiteClient, clock: Clock, details: { site: string }): Promise<Finding[]> {
  const before = clock.now();
  const answer = await client.request({ method: 'GET', target: TOKENINFO_PATH });
  const serverAt = Date.parse(String(answer.headers.date ?? ''));
  const findings = [fine({ code: 'service.signed-in', message: `${details.site}: your sign-in is valid.`, details })];
  // The Date header has a precision of seconds, and was written at some moment between request and answer.
  const aheadMs = serverAt - (before + clock.now()) / 2;
  if (Math.abs(aheadMs) < CLOCK_TOLERANCE_MS || Number.isNaN(aheadMs)) return findings;
  const seconds = Math.round(Math.abs(aheadMs) / 1000);
  const message = `The clocks of this computer and of ${details.site} differ by ${seconds} s.`;
  const nextStep = 'Let this computer set its clock automatically. Publication times and receipts depend on it.';
  return [...findings, warning({ code: 'service.clock-differs', message, nextStep, details: { ...details, seconds } })];
}

interface Known {
  mediaId: string;
  fileId: string;
  fileName: string;
  sizeBytes: number;
}

async function checkUploads(site: Site, client: SiteClient, { database, all }: ServiceCheckTools): Promise<Finding[]> {
  const rows = database
    .prepare(
      `SELECT media_id, file_id, file_name, size_bytes FROM uploads
       WHERE site_id = $siteId AND state = 'complete' AND media_id IS NOT NULL AND file_id IS NOT NULL AND NOT ${DELETED_HERE}
       ORDER BY completed_at DESC LIMIT $limit`,
    )
    .all({ siteId: site.id, limit: all ? -1 : LATEST })
    .map(toKnown);
  const gone: Known[] = [];
  const differing: (Known & { storedBytes: number | null; status: string })[] = [];
  const leftovers: (Known & { files: string[] })[] = [];
  const doubled: (Known & { files: string[] })[] = [];
  await inParallel(rows, PARALLEL, async (known) => {
    const files = await filesOf(client, known.mediaId);
    const own = files?.find(({ id }) => id === known.fileId);
    if (files === null || own === undefined) {
      gone.push(known);
      return;
    }
    if (own.status !== 'complete' || own.size !== known.sizeBytes) {
      differing.push({ ...known, storedBytes: own.size, status: own.status });
    }
    const others = files.filter(({ id, source }) => id !== known.fileId && source !== 'encoding');
    const empty = others.filter(({ status }) => ['uploading', 'aborted', 'error'].includes(status));
    if (empty.length > 0) leftovers.push({ ...known, files: empty.map(({ id }) => id) });
    const same = others.filter((each) => isSame(each, own));
    if (same.length > 0) doubled.push({ ...known, files: same.map(({ id }) => id) });
  });
  const findings: Finding[] = [];
  const found = (
    make: typeof problem,
    code: string,
    list: readonly unknown[],
    message: (count: string) => string,
    nextStep: string,
  ) => {
    if (list.length === 0) return;
    const text = message(counted(list.length, 'complete upload', 'complete uploads'));
    findings.push(make({ code, message: text, nextStep, details: { site: site.baseUrl, ...firstOf(list) } }));
  };
  found(
    problem,
    'service.upload-gone',
    gone,
    (count) => `${count}: the item or its file is no longer in the library, or you no longer have access.`,
    'If they weren’t deleted on purpose, add the recordings again.',
  );
  found(
    problem,
    'service.upload-differs',
    differing,
    (count) => `${count}: the file in the library has a different size or isn’t complete.`,
    'Add the recordings again. Don’t use the copies in the library.',
  );
  found(
    warning,
    'service.placeholder-left',
    leftovers,
    (count) => `${count}: the item also has empty files.`,
    'In the library, delete the files named in the details, or wait until the library removes them.',
  );
  found(
    problem,
    'service.file-twice',
    doubled,
    (count) => `${count}: the item has the same file twice.`,
    'In the library, delete one of the two files.',
  );
  if (findings.length > 0) return findings;
  const message = `${site.baseUrl}: ${counted(rows.length, 'complete upload is', 'complete uploads are')} in the library, each with the right size.`;
  return [fine({ code: 'service.uploads-there', message, details: { site: site.baseUrl, count: rows.length, all } })];
}

/** Reports items of cancelled and skipped uploads that could not be removed, or that may exist. */
async function checkCancelled(site: Site, client: SiteClient, { database }: ServiceCheckTools): Promise<Finding[]> {
  const rows = database
    .prepare(
      `SELECT media_id, file_id, file_name, size_bytes FROM uploads
       WHERE site_id = $siteId AND state IN ('cancelled', 'skipped') AND media_id IS NOT NULL AND completed_at IS NULL
         AND addition IS NULL`,
    )
    .all({ siteId: site.id })
    .map(toKnown);
  const left: Known[] = [];
  await inParallel(rows, PARALLEL, async (known) => {
    if ((await existing(getMedia(client, known.mediaId))) !== null) left.push(known);
  });
  const findings: Finding[] = [];
  if (left.length > 0) {
    const message = `${counted(left.length, 'cancelled upload has', 'cancelled uploads have')} left an item in the library.`;
    const nextStep = 'In the library, delete the items named in the details if you don’t need them.';
    const details = { site: site.baseUrl, ...firstOf(left) };
    findings.push(warning({ code: 'service.cancelled-item', message, nextStep, details }));
  }
  const open = database
    .prepare(
      `SELECT title FROM uploads WHERE site_id = $siteId AND state IN ('cancelled', 'skipped')
       AND media_id IS NULL AND item_intent_at IS NOT NULL AND completed_at IS NULL`,
    )
    .all({ siteId: site.id })
    .map(({ title }) => String(title));
  if (open.length > 0) {
    const message = `${counted(open.length, 'cancelled upload', 'cancelled uploads')} may have left an item in the library: the library didn’t confirm whether it was created.`;
    const nextStep =
      'Keep Mediadesk running and online for two minutes. Then check the library for drafts without files that have the titles named in the details.';
    const details = { site: site.baseUrl, ...firstOf(open) };
    findings.push(warning({ code: 'service.cancelled-unclear', message, nextStep, details }));
  }
  return findings;
}

function toKnown(row: SqlRow): Known {
  return {
    mediaId: String(row.media_id),
    fileId: String(row.file_id),
    fileName: String(row.file_name),
    sizeBytes: Number(row.size_bytes),
  };
}

function isSame(a: MediaFile, b: MediaFile): boolean {
  return a.status === 'complete' && a.size === b.size && a.type === b.type && a.display_name === b.display_name;
}

async function filesOf(client: SiteClient, mediaId: string): Promise<MediaFile[] | null> {
  return existing(
    (async () => {
      const files: MediaFile[] = [];
      for await (const file of listFiles(client, mediaId)) files.push(file);
      return files;
    })(),
  );
}
