import fc from 'fast-check';
import { FOLLOW_UP_KINDS, FOLLOW_UP_STATES } from '../../../shared/model/uploads/follow-up-kinds.ts';
import type { FollowUp } from '../../../shared/model/uploads/follow-ups.ts';

const instant = fc.integer({ min: 0, max: 4_000_000_000_000 });
const text = fc.string({ unit: 'grapheme', maxLength: 20 });
const count = fc.record({ count: fc.integer({ min: 1, max: 20 }), answered: fc.nat(5) });
const error = fc.record({
  code: fc.constantFrom('api.forbidden', 'file.missing', 'upload.duplicate'),
  message: text,
  nextStep: fc.option(text),
  details: fc.option(fc.dictionary(text, fc.oneof(text, fc.integer(), fc.boolean(), fc.constant(null)))),
});
const source = fc.oneof(
  fc.record({ kind: fc.constantFrom('keep', 'trash') }),
  fc.record({ kind: fc.constant('move'), folder: text }),
);
const known = fc.record({
  identity: text,
  volume: text,
  sizeBytes: fc.nat(),
  // Zero has no sign in JSON.
  mtimeMs: fc.double({ min: 0, max: 4e12, noNaN: true }).map((at) => at + 0),
});
const facts = {
  state: fc.constantFrom(...FOLLOW_UP_STATES),
  path: text,
  fileName: text,
  // Earlier versions did not store the local file.
  known: fc.option(known, { nil: undefined }),
  retries: fc.nat(50),
  // Earlier versions did not count the retries by step.
  retriesByStep: fc.option(fc.record({ do: count, look: count, delivery: count }, { requiredKeys: [] }), {
    nil: undefined,
  }),
  nextAt: fc.option(instant),
  error: fc.option(error),
  wasTried: fc.boolean(),
  intentAt: fc.option(instant),
  fileId: fc.option(text),
  sentAt: fc.option(instant),
  looks: fc.nat(99),
  fingerprint: fc.option(text),
  target: fc.option(text),
};
const otherKinds = FOLLOW_UP_KINDS.filter((kind) => kind !== 'source');

/** Any follow-up that a row can contain, as plain JSON values. */
export const arbitraryFollowUp: fc.Arbitrary<FollowUp> = fc
  .oneof(
    fc.record({ kind: fc.constant('source'), source, ...facts }),
    fc.record({ kind: fc.constantFrom(...otherKinds), source: fc.constant(null), ...facts }),
  )
  .map((followUp) => JSON.parse(JSON.stringify(followUp)) as FollowUp);
