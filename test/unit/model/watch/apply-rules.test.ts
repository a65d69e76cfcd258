import { describe, expect, it } from 'vitest';
import {
  applyRules,
  DEFAULT_RULE_ID,
  publishChoiceOf,
  type RuleOutcome,
  type UploadPlan,
} from '../../../../shared/model/watch/apply-rules.ts';
import type { WatchedFileFacts } from '../../../../shared/model/watch/watched-file.ts';
import { withRecordings } from '../../../../shared/model/watch/with-recordings.ts';
import { type RulesSample, SAMPLE_NOW, sampleFile, sampleRules } from '../../../helpers/data/watch-samples.ts';

function decide(sample: RulesSample, file: string | WatchedFileFacts, nowMs = SAMPLE_NOW): RuleOutcome {
  return applyRules(sampleRules(sample), typeof file === 'string' ? sampleFile(file) : file, nowMs);
}

function planOf(sample: RulesSample, file: string | WatchedFileFacts): UploadPlan {
  const outcome = decide(sample, file);
  if (outcome.kind !== 'upload') throw new Error(`not uploaded: ${JSON.stringify(outcome)}`);
  return outcome.plan;
}

const upload = { kind: 'upload' } as const;
const skip = { kind: 'skip' } as const;

describe('a watched folder with rules', () => {
  it('uploads by the defaults when no rule matches, and reports why each rule did not match', () => {
    const rules = [
      { id: 'a', conditions: { include: ['*.wav'] }, action: upload },
      { id: 'b', conditions: { exclude: ['talk*'] }, action: upload },
      { id: 'c', conditions: { minSizeBytes: 2_000_000 }, action: upload },
    ];
    expect(decide({ rules }, 'talk.mp4')).toMatchObject({
      kind: 'upload',
      ruleId: DEFAULT_RULE_ID,
      clause: { kind: 'include', glob: null },
      passed: [
        { ruleId: 'a', clause: { kind: 'not-included' } },
        { ruleId: 'b', clause: { kind: 'exclude', glob: 'talk*' } },
        { ruleId: 'c', clause: { kind: 'min-size', minSizeBytes: 2_000_000 } },
      ],
    });
  });

  it('applies the first of two matching rules, in their order', () => {
    const one = { id: 'one', conditions: { include: ['*.mov', 'talk.*'] }, action: upload };
    const two = { id: 'two', conditions: { include: ['*.mp4'] }, action: skip };
    expect(decide({ rules: [one, two] }, 'talk.mp4')).toMatchObject({
      kind: 'upload',
      ruleId: 'one',
      clause: { kind: 'include', glob: 'talk.*' },
      passed: [],
    });
    expect(decide({ rules: [two, one] }, 'talk.mp4')).toMatchObject({
      kind: 'skip',
      ruleId: 'two',
      clause: { kind: 'include', glob: '*.mp4' },
    });
  });

  it('ignores a disabled rule', () => {
    const rules = [{ id: 'off', enabled: false, action: skip }];
    expect(decide({ rules }, 'talk.mp4')).toMatchObject({ kind: 'upload', ruleId: DEFAULT_RULE_ID, passed: [] });
  });

  it('skips files that the conditions of the defaults refuse, and names the condition', () => {
    const conditions = { include: ['*.mp4'], exclude: ['test*'], minSizeBytes: 500 };
    const refused = (file: WatchedFileFacts) => {
      const { kind, ruleId, clause } = decide({ conditions }, file);
      expect({ kind, ruleId }).toEqual({ kind: 'skip', ruleId: DEFAULT_RULE_ID });
      return clause;
    };
    expect(refused(sampleFile('talk.wav'))).toEqual({ kind: 'not-included' });
    expect(refused(sampleFile('test 1.mp4'))).toEqual({ kind: 'exclude', glob: 'test*' });
    expect(refused(sampleFile('talk.mp4', { sizeBytes: 499 }))).toEqual({ kind: 'min-size', minSizeBytes: 500 });
    expect(decide({ conditions }, sampleFile('talk.mp4', { sizeBytes: 500 })).kind).toBe('upload');
  });

  it('uploads nothing by a rule whose glob is invalid', () => {
    expect(decide({ conditions: { include: ['{a'] } }, '{a').kind).toBe('skip');
    expect(decide({ conditions: { exclude: ['{a'] } }, 'b').kind).toBe('skip');
  });
});

describe('the minimum age', () => {
  const sample = { conditions: { minAgeMs: 60_000 } };
  const changed = (agoMs: number) => sampleFile('talk.mp4', { unchangedSinceMs: SAMPLE_NOW - agoMs, mtimeMs: 0 });

  it('postpones a file until it has been unchanged for that long by the local clock, whatever its mtime is', () => {
    expect(decide(sample, changed(59_999))).toMatchObject({
      kind: 'wait',
      ruleId: DEFAULT_RULE_ID,
      clause: { kind: 'min-age', minAgeMs: 60_000 },
      untilMs: SAMPLE_NOW + 1,
    });
    expect(decide(sample, changed(60_000)).kind).toBe('upload');
  });

  it('postpones a file for at most twice as long after the clock was set back', () => {
    expect(decide(sample, changed(-59_999))).toMatchObject({ kind: 'wait', untilMs: SAMPLE_NOW + 119_999 });
    expect(decide(sample, changed(-60_000)).kind).toBe('upload');
    expect(decide(sample, changed(-365 * 86_400_000)).kind).toBe('upload');
  });

  it('of zero never postpones a file, also after the clock was set back', () => {
    expect(decide({}, changed(-3_600_000)).kind).toBe('upload');
  });

  it('does not pass the file to the next rule during the wait', () => {
    const rules = [{ id: 'old', conditions: { minAgeMs: 60_000 }, action: upload }];
    expect(decide({ rules }, changed(0))).toMatchObject({ kind: 'wait', ruleId: 'old' });
  });
});

describe('exclusions that no rule can change', () => {
  const outcomeOf = (file: WatchedFileFacts, existingFiles: 'upload' | 'skip' = 'upload') => {
    const { kind, ruleId, clause } = decide({ existingFiles }, file);
    return { kind, ruleId, clause };
  };

  it.each([
    ['a temporary file', sampleFile('a.mp4.part'), { kind: 'ignored', reason: 'partial', name: 'a.mp4.part' }],
    ['a pipe', sampleFile('a.mp4', { kind: 'other' }), { kind: 'not-a-file' }],
    ['a file that was uploaded', sampleFile('a.mp4', { isHandled: true }), { kind: 'handled' }],
  ])('skip %s', (_what, file, clause) => {
    expect(outcomeOf(file)).toEqual({ kind: 'skip', ruleId: null, clause });
  });

  it('skip existing files only when the user chose only new files', () => {
    const file = sampleFile('a.mp4', { isExisting: true });
    expect(outcomeOf(file, 'skip')).toEqual({ kind: 'skip', ruleId: null, clause: { kind: 'existing' } });
    expect(outcomeOf(file, 'upload').kind).toBe('upload');
    expect(outcomeOf(sampleFile('a.mp4'), 'skip').kind).toBe('upload');
  });

  it('postpone an empty file until its first byte, also below the minimum size', () => {
    const file = sampleFile('a.mp4', { sizeBytes: 0 });
    expect(decide({ conditions: { minSizeBytes: 10 } }, file)).toMatchObject({
      kind: 'wait',
      ruleId: DEFAULT_RULE_ID,
      clause: { kind: 'empty' },
      untilMs: null,
    });
  });
});

describe('the plan of an upload', () => {
  it('has the settings of the rule, and for missing ones those of the defaults', () => {
    const settings = { tags: ['lecture'], priority: 'low', publish: { kind: 'now' } } as const;
    const rules = [
      {
        id: 'a',
        action: { kind: 'upload', settings: { priority: 'high', siteId: 'other', titleTemplate: undefined } },
      } as const,
    ];
    expect(planOf({ rules, settings: { ...settings, tags: ['lecture'] } }, 'x/talk.mp4')).toEqual({
      siteId: 'other',
      collection: { target: { kind: 'ref', ref: 'Inbox' }, below: [], create: false },
      title: 'talk',
      titleMissing: [],
      needsContents: false,
      titleDay: { day: '2026-11-20', from: 'mtime' },
      tags: ['lecture'],
      publish: { kind: 'now' },
      priority: 'high',
      duplicates: 'skip',
      details: true,
      manifest: false,
      sidecars: true,
      source: { kind: 'keep' },
    });
  });

  it('needs the contents of the file for a title with tags; the file name is the title while a value is missing', () => {
    const rules = { settings: { titleTemplate: '{recorded} {tag.title}' } };
    const file = sampleFile('x/talk.mp4');
    expect(planOf(rules, file)).toMatchObject({
      title: 'talk',
      titleMissing: ['recorded', 'tag.title'],
      needsContents: true,
    });
    const contents = { recorded: { at: '2026-11-04T10:00:00' }, mediaTags: { title: 'Waves' } };
    expect(planOf(rules, { ...file, contents })).toMatchObject({
      title: '2026-11-04 Waves',
      titleMissing: [],
      needsContents: false,
    });
    expect(planOf(rules, { ...file, contents: { ...contents, mediaTags: {} } })).toMatchObject({
      title: 'talk',
      titleMissing: ['tag.title'],
      needsContents: false,
    });
  });

  const target = { kind: 'id', id: 'c1', name: 'Lectures' } as const;
  it.each([
    ['first', 'talk.mp4', []],
    ['first', 'Physics/talk.mp4', ['Physics']],
    ['first', 'Physics/Optics/talk.mp4', ['Physics']],
    ['every', 'talk.mp4', []],
    ['every', 'Physics/Optics/talk.mp4', ['Physics', 'Optics']],
    ['every', 'Mu\u0308ller/\u{10fde9}t\u{10fde9}/talk.mp4', ['M\u00fcller', '\ufffdt\ufffd']],
  ] as const)('maps %s level of sub-folders of %s to collections', (levels, path, below) => {
    const collection = { kind: 'by-folder', parent: target, levels, create: true } as const;
    expect(planOf({ settings: { collection } }, path).collection).toEqual({ target, below, create: true });
  });

  it('states whether missing collections may be created', () => {
    const collection = { kind: 'by-folder', parent: target, levels: 'first', create: false } as const;
    expect(planOf({ settings: { collection } }, 'a/b.mp4').collection.create).toBe(false);
  });

  it('publishes after a delay that starts when the file is queued', () => {
    const policy = { kind: 'after', delayMs: 3_600_000 } as const;
    expect(planOf({ settings: { publish: policy } }, 'talk.mp4').publish).toEqual(policy);
    expect(publishChoiceOf(policy, Date.UTC(2026, 0, 1))).toEqual({ kind: 'at', at: '2026-01-01T01:00:00.000Z' });
    expect(publishChoiceOf({ kind: 'draft' }, 0)).toEqual({ kind: 'draft' });
  });
});

describe('captions and thumbnails', () => {
  const outcomeOf = (sample: RulesSample, file: WatchedFileFacts, recording: WatchedFileFacts) => {
    const [first] = withRecordings([file, recording]);
    return applyRules(sampleRules(sample), first as WatchedFileFacts, SAMPLE_NOW);
  };
  const captions = sampleFile('day/talk.en.srt');
  const recording = sampleFile('day/talk.mp4');
  const attached = { kind: 'skip', clause: { kind: 'attached', recording: 'day/talk.mp4' } };

  it('are uploaded with their recording, by its rule', () => {
    const rules = [{ id: 'video', conditions: { include: ['*.mp4'] }, action: upload }];
    expect(outcomeOf({ rules }, captions, recording)).toMatchObject({ ...attached, ruleId: 'video' });
    expect(outcomeOf({ rules }, sampleFile('day/talk.jpg'), recording)).toMatchObject({ ...attached, ruleId: 'video' });
  });

  it('have an option separate from that of files with details', () => {
    const details = sampleFile('day/talk.json');
    expect(outcomeOf({ settings: { sidecars: false } }, details, recording)).toMatchObject(attached);
    expect(outcomeOf({ settings: { details: false } }, details, recording).kind).toBe('upload');
    expect(outcomeOf({ settings: { details: false } }, captions, recording)).toMatchObject(attached);
  });

  it('are not attached when several recordings have their name', () => {
    const [first] = withRecordings([captions, recording, sampleFile('day/talk.wav')]);
    expect(applyRules(sampleRules({}), first as WatchedFileFacts, SAMPLE_NOW)).toMatchObject({
      kind: 'skip',
      clause: { kind: 'unclear', recordings: ['day/talk.mp4', 'day/talk.wav'] },
    });
  });

  it('are not uploaded as items when they arrive after the upload of their recording', () => {
    expect(outcomeOf({}, captions, { ...recording, isHandled: true })).toMatchObject(attached);
    expect(outcomeOf({ existingFiles: 'skip' }, captions, { ...recording, isExisting: true })).toMatchObject(attached);
  });

  it('follow the rules as files of their own when the recording is skipped or uploaded without them', () => {
    const without = { settings: { sidecars: false } };
    expect(outcomeOf(without, captions, recording).kind).toBe('upload');
    const rules = [{ id: 'video', conditions: { include: ['*.mp4'] }, action: skip }];
    expect(outcomeOf({ rules }, captions, recording)).toMatchObject({ kind: 'upload', ruleId: DEFAULT_RULE_ID });
    const own = [{ id: 'video', action: { kind: 'upload', settings: { sidecars: false } } as const }];
    expect(outcomeOf({ rules: own }, captions, recording)).toMatchObject({ kind: 'upload', ruleId: 'video' });
  });

  it('belong to a recording in the same folder only', () => {
    expect(outcomeOf({}, sampleFile('other/talk.srt'), recording).kind).toBe('upload');
    expect(outcomeOf({}, sampleFile('talk.srt'), recording).kind).toBe('upload');
  });

  it('belong to no recording that is empty or still partial', () => {
    expect(outcomeOf({}, captions, { ...recording, sizeBytes: 0 }).kind).toBe('upload');
    expect(outcomeOf({}, sampleFile('day/~$talk.srt'), sampleFile('day/~$talk.mp4'))).toMatchObject({
      clause: { kind: 'ignored' },
    });
  });
});
