import { describe, expect, it } from 'vitest';
import { isAsWanted } from '../../../../../electron/engine/uploads/delivery/upload-steps.ts';
import type { MediaItem } from '../../../../../shared/api/media.ts';

const AT = '2026-02-01T10:00:20.500Z';
const item = (status: MediaItem['status'], publish_on: string | null) => ({ status, publish_on });

describe('an item of an upload with a publish time', () => {
  const upload = { publish: { kind: 'at', at: AT } } as const;

  it.each([
    ['is scheduled for the requested second', 'scheduled', '2026-02-01T10:00:20Z'],
    ['is scheduled for the requested minute', 'scheduled', '2026-02-01T10:00:00Z'],
    ['was published at the requested second', 'published', '2026-02-01T10:00:20Z'],
    ['was published later', 'published', '2026-02-03T08:00:00Z'],
  ])('is as requested when it %s', (_, status, publishOn) => {
    expect(isAsWanted(item(status, publishOn), upload)).toBe(true);
  });

  it.each([
    ['is a draft', 'draft', '2026-02-01T10:00:20Z'],
    ['is scheduled for a later time', 'scheduled', '2026-02-03T08:00:00Z'],
    ['was published before the requested time', 'published', '2026-01-31T08:00:00Z'],
    ['has no publish time', 'scheduled', null],
  ])('is not as requested when it %s', (_, status, publishOn) => {
    expect(isAsWanted(item(status, publishOn), upload)).toBe(false);
  });
});

it.each([
  ['published', true],
  ['scheduled', false],
  ['draft', false],
])('an item of an upload without a publish time is as requested when it is published (%s: %s)', (status, is) => {
  expect(isAsWanted(item(status, null), { publish: { kind: 'now' } })).toBe(is);
});
