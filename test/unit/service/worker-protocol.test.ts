// What a worker accepts from a service, and what it remembers.
import { expect, test } from 'vitest';
import { createMemory } from '../../../service/worker/memory.ts';
import { claimAnswerSchema, claimRequestSchema } from '../../../service/workers/protocol.ts';

const ANSWER = {
  claim: '3f1b1d6e-6b52-4c5e-9d0e-2f7c0a9b8c7d',
  lease_ms: 60_000,
  order: {
    file: { id: 1, type: 'audio', size: 5 },
    usesTools: true,
    encodeUpToBytes: 10,
    delayMs: 0,
    decided: null,
  },
  content_path: '/cdn/token/a.wav',
};

test.each([
  ['content of another host', { content_path: '//other.example/a.wav' }],
  ['content of another host, by a backslash', { content_path: '/\\other.example/a.wav' }],
  ['a time that no timer can wait for', { lease_ms: 10_000_000_000 }],
  ['a delay that no timer can wait for', { order: { ...ANSWER.order, delayMs: 10_000_000_000 } }],
])('a worker does not accept %s', (_what, wrong) => {
  expect(claimAnswerSchema.safeParse(ANSWER).success).toBe(true);
  expect(claimAnswerSchema.safeParse({ ...ANSWER, ...wrong }).success).toBe(false);
});

test('a worker leaves a file to others for a minute, and returns a claim until the service has it', () => {
  let nowMs = 0;
  const memory = createMemory(() => nowMs);
  memory.avoid(7);
  memory.returnLater(ANSWER.claim);
  expect([memory.avoids(), memory.returns()]).toEqual([[7], [ANSWER.claim]]);
  nowMs = 60_000;
  memory.returned(memory.returns());
  expect([memory.avoids(), memory.returns()]).toEqual([[], []]);
});

test('a worker never sends more than the service takes', () => {
  const memory = createMemory(() => 0);
  for (let id = 1; id <= 500; id += 1) {
    memory.avoid(id);
    memory.returnLater(`3f1b1d6e-6b52-4c5e-9d0e-${String(id).padStart(12, '0')}`);
  }
  const known = { worker: 'w', holds: [], returns: memory.returns(), avoids: memory.avoids() };
  expect(claimRequestSchema.safeParse(known).success).toBe(true);
});
