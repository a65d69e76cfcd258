// The messages between the service and its workers. Both sides check what they receive.
import { z } from 'zod';
import type { Order } from '../processing/order.ts';
import type { Outcome } from '../processing/work.ts';

const MOST_CLAIMS = 64;
const blobName = z.string().regex(/^[0-9a-f]{32}$/);
const dimension = z.number().int().min(0).max(100_000).nullable();
const MAX_DURATION_S = 10 * 365 * 86_400;

/** The longest time that the settings of a site allow, in milliseconds. */
const LONGEST_MS = 86_400_000;

/**
 * Asks for work. `holds`: the claims that the worker knows of; all others of this worker are given back. `returns`: claims that it may
 * have lost, and on which it does not work any more. `avoids`: files that it does not take for the moment.
 */
export const claimRequestSchema = z.object({
  worker: z.string().regex(/^[\w.-]{1,120}$/, 'must be a name'),
  holds: z.array(z.uuid()).max(MOST_CLAIMS),
  returns: z.array(z.uuid()).max(MOST_CLAIMS).default([]),
  avoids: z.array(z.number().int()).max(MOST_CLAIMS).default([]),
});

const orderSchema = z.object({
  file: z.object({ id: z.number().int(), type: z.string().max(40), size: z.number().int().min(0) }),
  usesTools: z.boolean(),
  encodeUpToBytes: z.number().min(0),
  delayMs: z.number().min(0).max(LONGEST_MS),
  decided: z.object({ reason: z.string().nullable() }).nullable(),
}) satisfies z.ZodType<Order>;

/** A claim. The worker renews it within `lease_ms`, or has lost it. */
export const claimAnswerSchema = z.object({
  claim: z.uuid(),
  lease_ms: z.number().int().min(1000).max(LONGEST_MS),
  order: orderSchema,
  /** Where the original is, without scheme and host. */
  content_path: z
    .string()
    .regex(/^\/[^/\\]/)
    .max(4000),
});

export type ClaimAnswer = z.output<typeof claimAnswerSchema>;

/** Names a stored product. */
export const productAnswerSchema = z.object({ name: blobName });

const factsSchema = z.object({
  format: z.string().regex(/^[\w.-]{1,40}$/),
  kind: z.enum(['video', 'audio', 'image', 'doc']),
  width: dimension,
  height: dimension,
  durationS: z.number().min(0).max(MAX_DURATION_S).nullable(),
  bitrate: z.number().int().min(0).nullable(),
});

/** What the work has found out and made. The sizes are checked by the service. */
export const outcomeSchema = z.object({
  facts: factsSchema.nullable(),
  encodings: z
    .array(
      z.object({
        profile: z.string().regex(/^[\w.-]{1,60}$/),
        container: z.string().regex(/^[a-z0-9]{1,20}$/),
        storedName: blobName,
        sizeBytes: z.number().int().min(0),
        facts: factsSchema.nullable(),
      }),
    )
    .max(10),
  thumb: z
    .object({
      storedName: blobName,
      contentType: z.literal('image/jpeg'),
      width: z.number().int().min(1).max(100_000),
      height: z.number().int().min(1).max(100_000),
    })
    .nullable(),
  reason: z.string().max(4000).nullable(),
}) satisfies z.ZodType<Outcome>;
