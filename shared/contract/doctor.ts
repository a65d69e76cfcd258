import { z } from 'zod';

const FINDING_SEVERITIES = ['ok', 'warning', 'problem'] as const;

/** One result of a check: a sentence and the next step. */
const findingSchema = z.object({
  /** Stable, for scripts: `rows.end-without-time`, `service.upload-gone` … */
  code: z.string(),
  severity: z.enum(FINDING_SEVERITIES),
  message: z.string(),
  nextStep: z.string().nullable(),
  details: z.record(z.string(), z.unknown()).nullable(),
});
export type Finding = z.output<typeof findingSchema>;

/** Severities: `ok`: the check found no fault. `warning`: the user should know it. `problem`: an error that needs an action. */
export const doctorReportSchema = z.object({
  /** Epoch milliseconds. */
  checkedAt: z.number(),
  findings: z.array(findingSchema),
});
export type DoctorReport = z.output<typeof doctorReportSchema>;
