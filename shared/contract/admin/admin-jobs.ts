import { z } from 'zod';
import { appErrorSchema } from '../app-error.ts';

const id = z.string().min(1);
const siteRef = z.object({ siteId: id });

export const ADMIN_JOB_KINDS = [
  'deletePeople',
  'mergeTags',
  'importPeople',
  'importMembers',
  'importGroups',
  'importRoles',
] as const;
export type AdminJobKind = (typeof ADMIN_JOB_KINDS)[number];

/** An administrative command of many steps that did not come to its end: Mediadesk was ended meanwhile, or the library was not reached. */
const jobSchema = z.object({
  id,
  kind: z.enum(ADMIN_JOB_KINDS),
  /** ISO-8601 UTC: when the command was confirmed. */
  givenAt: z.string(),
  /** The number of its steps, of those that were done, and of those that failed. */
  total: z.number(),
  done: z.number(),
  failed: z.number(),
  /** What it is about: the tag that stays, or the table; empty for a deletion. */
  subject: z.string(),
  /** The names of the first steps that are left. */
  next: z.array(z.string()),
});
export type AdminJob = z.output<typeof jobSchema>;

/** The calls about interrupted administrative commands. */
export const ADMIN_JOB_CALLS = {
  /** The interrupted commands of an account, the oldest first, without those that run now. */
  'admin.jobs': { input: siteRef, output: z.array(jobSchema) },
  /**
   * Continues an interrupted command with the steps that are left, each with the checks of the first time. Returns what became of all steps
   * that the command had, also of the earlier ones. Throws `admin.job-gone`.
   */
  'admin.continueJob': {
    input: siteRef.extend({ jobId: id }),
    output: z.object({
      total: z.number(),
      done: z.number(),
      failed: z.array(z.object({ id: z.string(), name: z.string(), error: appErrorSchema })),
      /** Where a table of what was deleted is; empty without one. */
      savedAs: z.string(),
    }),
  },
  /**
   * Ends the commands of this kind that run for an account, after the step that is being made; a merge of tags after the items that are
   * being changed. The steps that are left fail with `admin.stopped`.
   */
  'admin.stopJobs': { input: siteRef.extend({ kind: z.enum(ADMIN_JOB_KINDS) }), output: z.null() },
  /** Forgets the steps that are left; what was done stays. Does nothing for a command that is over. */
  'admin.discardJob': { input: siteRef.extend({ jobId: id }), output: z.null() },
} as const;
