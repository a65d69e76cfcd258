import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { appError } from '../../../../shared/contract/app-error.ts';
import { newFollowUp, publicationTrouble } from '../../../../shared/model/uploads/follow-ups.ts';
import type { Upload, UploadEvent } from '../../../../shared/model/uploads/upload.ts';
import {
  applyUploadEvent,
  asksAboutItem,
  COMMAND_STATES,
  commandApplies,
  isDescribable,
  isLateCancel,
  isSpoiled,
} from '../../../../shared/model/uploads/upload-machine.ts';
import { isEnded, UPLOAD_STATES } from '../../../../shared/model/uploads/upload-states.ts';
import { anUpload, DESTINATION } from '../../../helpers/data/upload-rows.ts';

const run = (upload: Upload, ...events: UploadEvent[]) => events.reduce(applyUploadEvent, upload);
const error = appError('api.server-error').toData();

const replaced = appError('file.replaced').toData();
const OTHER_FILE = { identity: '9:9', volume: 'uuid:9', sizeBytes: 9, mtimeMs: 9 };

const DELIVERY: UploadEvent[] = [
  { kind: 'started' },
  { kind: 'item-intended', at: 1 },
  { kind: 'item-created', mediaId: 'm1' },
  { kind: 'file-intended', at: 2 },
  { kind: 'file-created', fileId: 'f1', destination: DESTINATION, at: 3 },
  { kind: 'send-started', at: 4 },
  { kind: 'sent', at: 5, sha256: 'aa' },
  { kind: 'finished', at: 6 },
];

const anyEvent: fc.Arbitrary<UploadEvent> = fc.constantFrom<UploadEvent>(
  ...DELIVERY,
  { kind: 'file-seen', sizeBytes: 5, mtimeMs: 5, identity: '1:2', edgeHash: 'e' },
  { kind: 'described', fields: { title: 'Optics', tags: ['optics'] } },
  { kind: 'follow-up-added', followUp: newFollowUp({ kind: 'captions', path: '/a.vtt', fileName: 'a.vtt' }) },
  { kind: 'companion-accepted', index: 0, file: OTHER_FILE },
  { kind: 'failed', error: replaced, at: 9 },
  { kind: 'replacement-accepted', file: OTHER_FILE },
  { kind: 'item-absent' },
  { kind: 'item-gone' },
  { kind: 'file-dropped' },
  { kind: 'completed', at: 7 },
  { kind: 'published', at: 8 },
  { kind: 'delayed', error, until: 9, failed: { step: 'send', answered: 0 } },
  { kind: 'failed', error, at: 9 },
  { kind: 'put-back', error },
  { kind: 'interrupted' },
  { kind: 'paused' },
  { kind: 'resumed', transferAlive: false },
  { kind: 'cancelled', at: 10 },
  { kind: 'cleaned-up' },
  { kind: 'retried' },
  { kind: 'cancel-undone' },
  { kind: 'cleared', at: 11 },
  { kind: 'clear-undone' },
);

describe('an upload', () => {
  it('passes every state from queued to complete in order', () => {
    const states: string[] = [];
    let upload = anUpload({ publish: { kind: 'now' } });
    for (const event of [...DELIVERY, { kind: 'completed', at: 7 }, { kind: 'published', at: 8 }] as UploadEvent[]) {
      upload = applyUploadEvent(upload, event);
      if (states.at(-1) !== upload.state) states.push(upload.state);
    }
    expect(states).toEqual(['preparing', 'sending', 'finishing', 'processing', 'publishing', 'complete']);
    expect(upload).toMatchObject({ mediaId: 'm1', fileId: 'f1', sha256: 'aa', endedAt: 8, error: null });
  });

  it('keeps its state when a follow-up is added, and the follow-up is due only when the upload is complete', () => {
    const captions = newFollowUp({ kind: 'captions', path: '/a.vtt', fileName: 'a.vtt' });
    const added = { kind: 'follow-up-added', followUp: captions } as const;
    const complete = run(anUpload(), ...DELIVERY, { kind: 'completed', at: 7 }, { kind: 'cleared', at: 8 });
    expect(complete.clearedAt).toBe(8);
    expect(run(complete, added)).toEqual({ ...complete, followUps: [captions], followUpAt: 0, clearedAt: null });
    const sending = run(anUpload(), ...DELIVERY.slice(0, 6));
    expect(run(sending, added)).toEqual({ ...sending, followUps: [captions] });
    const cancelled = run(sending, { kind: 'cancelled', at: 9 });
    expect(run(cancelled, added)).toMatchObject({ state: 'cancelled', followUpAt: null });
  });

  it('accepts new values of its item until a request may have created it', () => {
    const fields = { title: 'Optics', byline: 'Ada', description: '<p>One</p>', tags: ['optics'] };
    const described = run(anUpload(), { kind: 'described', fields });
    expect(described).toMatchObject(fields);
    expect(described.followUps.map(({ kind }) => kind)).toEqual(['tags']);
    expect(run(described, { kind: 'described', fields: { tags: [] } })).toMatchObject({ tags: [], followUps: [] });
    expect(run(described, { kind: 'described', fields: { byline: '' } })).toEqual({ ...described, byline: '' });
    const intended = run(anUpload(), { kind: 'item-intended', at: 1 });
    expect(run(intended, { kind: 'described', fields })).toEqual(intended);
    const created = run(intended, { kind: 'item-created', mediaId: 'm1' });
    expect(run(created, { kind: 'described', fields })).toEqual(created);
    // The library refused the creation: the values may be the reason.
    expect(run(intended, { kind: 'item-absent' }, { kind: 'described', fields })).toMatchObject(fields);
  });

  it('checks its tags before its local file is moved, also when they are added later', () => {
    const source = newFollowUp({ kind: 'source', path: '/a', fileName: 'a', source: { kind: 'trash' } });
    const captions = newFollowUp({ kind: 'captions', path: '/a.vtt', fileName: 'a.vtt' });
    const upload = anUpload({ followUps: [captions, source] });
    const described = run(upload, { kind: 'described', fields: { tags: ['optics'] } });
    expect(described.followUps.map(({ kind }) => kind)).toEqual(['captions', 'tags', 'source']);
    expect(described.followUps[2]).toBe(source);
  });

  it('is complete when the service has processed the file and nothing is to be published', () => {
    expect(run(anUpload(), ...DELIVERY, { kind: 'completed', at: 7 })).toMatchObject({ state: 'complete', endedAt: 7 });
  });

  it('stays cancelled when the events of its delivery arrive later, and stores their ids', () => {
    const cancelled = run(anUpload(), { kind: 'started' }, { kind: 'cancelled', at: 1 });
    const later = run(cancelled, ...DELIVERY.slice(1), { kind: 'completed', at: 7 });
    expect(later).toMatchObject({ state: 'cancelled', endedAt: 1, mediaId: 'm1', fileId: 'f1' });
  });

  it.each([
    ['queued', {}],
    ['paused', {}],
    ['waiting', { nextAttemptAt: 9, retries: 3, error }],
    ['failed', { endedAt: 8, error }],
  ] as const)('that was %s is restored when its cancel is undone', (state, facts) => {
    const before = anUpload({ state, ...facts });
    const cancelled = run(before, { kind: 'cancelled', at: 10 }, { kind: 'cancelled', at: 11 });
    expect(cancelled.state).toBe('cancelled');
    expect(run(cancelled, { kind: 'cancel-undone' })).toEqual(before);
  });

  it('that was running is queued when its cancel is undone, and keeps the facts recorded since', () => {
    const cancelled = run(anUpload(), { kind: 'started' }, { kind: 'cancelled', at: 1 });
    const learnt = run(cancelled, { kind: 'item-intended', at: 2 }, { kind: 'item-created', mediaId: 'm1' });
    expect(run(learnt, { kind: 'cancel-undone' })).toMatchObject({ state: 'queued', mediaId: 'm1', endedAt: null });
    const retried = run(learnt, { kind: 'retried' }, { kind: 'paused' });
    expect(run(retried, { kind: 'cancel-undone' })).toEqual(retried);
  });

  it('stays paused when its last bytes were sent before the pause took effect', () => {
    const paused = run(anUpload(), ...DELIVERY.slice(0, 6), { kind: 'paused' }, { kind: 'sent', at: 5, sha256: 'aa' });
    expect(paused.state).toBe('paused');
    expect(run(paused, { kind: 'resumed', transferAlive: false })).toMatchObject({ state: 'queued', sentAt: 5 });
  });

  it('continues in the same state when a paused transfer resumes while its connection is open', () => {
    const sending = run(anUpload(), ...DELIVERY.slice(0, 6));
    expect(run(sending, { kind: 'paused' }, { kind: 'resumed', transferAlive: true }).state).toBe('sending');
  });

  it('is queued after an interruption, or in processing when the library was notified before', () => {
    for (const count of [1, 3, 6, 7]) {
      expect(run(anUpload(), ...DELIVERY.slice(0, count), { kind: 'interrupted' }).state).toBe('queued');
    }
    expect(run(anUpload(), ...DELIVERY, { kind: 'interrupted' }).state).toBe('processing');
  });

  it('sends the bytes again, into the same item, when a retry follows an error that makes the library’s file invalid', () => {
    const failed = run(anUpload(), ...DELIVERY, {
      kind: 'failed',
      error: appError('upload.processing-failed').toData(),
      at: 9,
    });
    const retried = run(failed, { kind: 'retried' });
    expect(retried).toMatchObject({
      state: 'queued',
      mediaId: 'm1',
      finishedAt: null,
      retries: 0,
      error: null,
      endedAt: null,
    });
    // The id of the invalid file is kept until that file is deleted, so that it does not stay in the item beside the next file.
    expect([retried.fileId, isSpoiled(retried)]).toEqual([failed.fileId, true]);
    const dropped = run(retried, { kind: 'file-dropped' });
    expect([dropped.fileId, isSpoiled(dropped)]).toEqual([null, false]);
  });

  it('keeps the id of an invalid file that may stay in the item until the item is gone', () => {
    const error = appError('upload.size-differs').toData();
    const failed = run(anUpload(), ...DELIVERY, { kind: 'failed', error, at: 9 }, { kind: 'retried' });
    const dropped = run(failed, { kind: 'file-dropped', mayStay: true });
    expect(dropped).toMatchObject({ fileId: null, spoiledFileIds: [failed.fileId] });
    const again = run(dropped, ...DELIVERY.slice(3), { kind: 'cancelled', at: 10 });
    expect(again.spoiledFileIds).toEqual(dropped.spoiledFileIds);
    expect(run(again, { kind: 'cleaned-up' }).spoiledFileIds).toEqual([]);
    expect(run(dropped, { kind: 'item-gone' }).spoiledFileIds).toEqual([]);
    expect(run(dropped, { kind: 'file-dropped' }).spoiledFileIds).toEqual(dropped.spoiledFileIds);
  });

  it('has no refused publication any more once its item is published', () => {
    const refused = run(
      anUpload({ publish: { kind: 'now' } }),
      ...DELIVERY,
      { kind: 'completed', at: 7 },
      // The answer to the publication arrives after the cancel.
      { kind: 'cancelled', at: 8 },
      { kind: 'publish-refused', error: appError('upload.not-published').toData(), at: 9 },
    );
    const published = run(refused, { kind: 'retried' }, { kind: 'published', at: 10 });
    expect(published).toMatchObject({ state: 'complete', error: null });
    expect(publicationTrouble(published.followUps)).toBeNull();
    expect(published.followUps).toEqual([]);
  });

  it('that was cancelled is complete when its publication succeeds in the meantime', () => {
    const cancelled = run(
      anUpload({ publish: { kind: 'now' } }),
      ...DELIVERY,
      { kind: 'completed', at: 7 },
      { kind: 'cancelled', at: 8 },
    );
    const published = run(cancelled, { kind: 'published', at: 9 });
    expect(published).toMatchObject({ state: 'complete', endedAt: 9, cancelledFrom: null });
    // A cancel before the file was complete is not overridden: its item is about to be removed.
    const early = run(anUpload({ publish: { kind: 'now' } }), ...DELIVERY, { kind: 'cancelled', at: 8 });
    expect(run(early, { kind: 'completed', at: 9 }, { kind: 'published', at: 10 })).toMatchObject({
      state: 'cancelled',
      completedAt: null,
    });
  });

  it('keeps a delivered file when a retry follows a failed publication', () => {
    const failed = run(
      anUpload({ publish: { kind: 'now' } }),
      ...DELIVERY,
      { kind: 'completed', at: 7 },
      {
        kind: 'failed',
        error: appError('api.forbidden').toData(),
        at: 9,
      },
    );
    expect(run(failed, { kind: 'retried' })).toMatchObject({ state: 'publishing', fileId: 'f1', completedAt: 7 });
  });

  it('that failed because its item may exist gets a new item only when the user chooses this', () => {
    const asked = run(anUpload({ itemIntentAt: 1 }), {
      kind: 'failed',
      error: appError('upload.may-exist').toData(),
      at: 9,
    });
    expect(asked.itemIntentAt).toBe(1);
    expect(asksAboutItem(asked)).toBe(true);
    expect(run(asked, { kind: 'retried' })).toMatchObject({ state: 'queued', itemIntentAt: 1, mediaId: null });
    expect(run(asked, { kind: 'retried', itemId: null })).toMatchObject({ itemIntentAt: null, mediaId: null });
    expect(run(asked, { kind: 'retried', itemId: 'm7' })).toMatchObject({ itemIntentAt: null, mediaId: 'm7' });
  });

  it('counts items and placeholders without a destination until there is a destination', () => {
    const fruitless = [{ kind: 'file-dropped', isFruitless: true }, { kind: 'item-gone' }] as const;
    expect(run(anUpload(), ...fruitless).fruitless).toBe(2);
    const created = { kind: 'file-created', fileId: 'f1', destination: DESTINATION, at: 3 } as const;
    expect(run(anUpload(), ...fruitless, created).fruitless).toBe(0);
    expect(run(anUpload(), ...fruitless, { kind: 'failed', error, at: 4 }, { kind: 'retried' }).fruitless).toBe(0);
  });

  it('uses no retry for an error that affects the whole site', () => {
    const delayed = run(anUpload(), { kind: 'delayed', error, until: 5, failed: null });
    expect(delayed).toMatchObject({ retries: 0, state: 'waiting', nextAttemptAt: 5 });
  });

  describe('whose file was replaced by another', () => {
    const accepted = { kind: 'replacement-accepted', file: OTHER_FILE } as const;
    const failed = (...events: UploadEvent[]) => run(anUpload(), ...events, { kind: 'failed', error: replaced, at: 9 });

    it('keeps the file that was added when it is only retried', () => {
      const { identity, sizeBytes, mtimeMs } = anUpload();
      expect(run(failed(), { kind: 'retried' })).toMatchObject({ state: 'queued', identity, sizeBytes, mtimeMs });
    });

    it('sends the other file from its first byte when the user accepts it', () => {
      const seen: UploadEvent = { kind: 'file-seen', sizeBytes: 5, mtimeMs: 5, identity: '1:2', edgeHash: 'e' };
      const upload = failed(seen, { kind: 'duplicates-checked', at: 1 });
      expect(run(upload, accepted)).toEqual({
        ...upload,
        ...OTHER_FILE,
        edgeHash: null,
        duplicateCheckedAt: null,
        state: 'queued',
        error: null,
        endedAt: null,
      });
    });

    it('removes what the library has of the first file before it sends the other one', () => {
      const after = run(failed(...DELIVERY.slice(0, 6)), accepted);
      expect(after).toMatchObject({ mediaId: 'm1', fileId: 'f1', sendStartedAt: null, destination: null });
      expect(isSpoiled(after)).toBe(true);
      // A placeholder whose creation was not answered is searched for, as without the other file.
      expect(run(failed(...DELIVERY.slice(0, 4)), accepted)).toMatchObject({ fileId: null, fileIntentAt: 2 });
    });

    it('accepts no other file in any other state', () => {
      for (const upload of [
        anUpload(),
        run(anUpload(), { kind: 'failed', error, at: 9 }),
        run(failed(), { kind: 'retried' }),
      ])
        expect(run(upload, accepted)).toEqual(upload);
    });
  });

  it('sends captions again that were replaced when the user accepts the other file, and no other failed ones', () => {
    const captions = newFollowUp({
      kind: 'captions',
      path: '/a.vtt',
      fileName: 'a.vtt',
      known: { ...OTHER_FILE, identity: '1:1' },
    });
    const complete = run(anUpload({ followUps: [captions] }), ...DELIVERY, { kind: 'completed', at: 7 });
    const accepted = { kind: 'companion-accepted', index: 0, file: OTHER_FILE } as const;
    const retriedAfter = (code: 'file.replaced' | 'file.missing') =>
      run(complete, { kind: 'follow-up-failed', index: 0, error: appError(code).toData() }, accepted).followUps[0];
    expect(retriedAfter('file.replaced')).toMatchObject({ state: 'pending', error: null, known: OTHER_FILE });
    expect(retriedAfter('file.missing')).toMatchObject({ state: 'failed', known: OTHER_FILE });
  });

  it('gives its next item the captions again that were sent for the item that is gone', () => {
    const kinds = ['captions', 'details', 'source'] as const;
    const followUps = kinds.map((kind) => newFollowUp({ kind, path: `/a.${kind}`, fileName: `a.${kind}` }));
    const facts = { intentAt: 8, fileId: 'f2', sentAt: 9, looks: 3, fingerprint: '5 5' };
    const sent = run(
      anUpload({ publish: { kind: 'now' }, followUps }),
      ...DELIVERY,
      { kind: 'completed', at: 7 },
      { kind: 'follow-up-noted', index: 0, facts },
      { kind: 'follow-up-done', index: 0 },
      { kind: 'follow-up-done', index: 1 },
    );
    const gone = run(sent, { kind: 'item-gone' });
    expect(gone).toMatchObject({ state: 'queued', mediaId: null, fileId: null });
    expect(gone.followUps).toEqual([followUps[0], sent.followUps[1], followUps[2]]);
  });

  it('knows its failed captions by their id in the library after a retry', () => {
    const captions = newFollowUp({ kind: 'captions', path: '/a.vtt', fileName: 'a.vtt' });
    const sent = { intentAt: 8, fileId: 'f2', sentAt: 9, looks: 45 };
    const failed = run(
      anUpload({ followUps: [captions] }),
      ...DELIVERY,
      { kind: 'completed', at: 7 },
      { kind: 'follow-up-noted', index: 0, facts: sent },
      { kind: 'follow-up-failed', index: 0, error: appError('upload.processing-slow').toData() },
    );
    const [again] = run(failed, { kind: 'follow-ups-retried' }).followUps;
    expect(again).toMatchObject({ state: 'pending', intentAt: 8, fileId: 'f2', sentAt: null, looks: 0 });
  });

  it('does not use its destination when the file has another size than the placeholder was created for', () => {
    const ready = run(anUpload(), ...DELIVERY.slice(0, 5));
    const seen = run(ready, { kind: 'file-seen', sizeBytes: 2000, mtimeMs: 2, identity: '1:1', edgeHash: 'e' });
    expect(seen).toMatchObject({ sizeBytes: 2000, destination: null, fileId: 'f1' });
  });

  it('keeps its invariants for any sequence of events', () => {
    fc.assert(
      fc.property(fc.array(anyEvent, { maxLength: 60 }), (events) => {
        let upload = anUpload({ publish: { kind: 'now' } });
        for (const event of events) {
          const next = applyUploadEvent(upload, event);
          expect(UPLOAD_STATES).toContain(next.state);
          // Only a command of the user, or a publication that was in flight at the cancel, changes an ended state.
          const isPublished = event.kind === 'published' && isLateCancel(upload) && next.state === 'complete';
          if (isEnded(upload.state) && next.state !== upload.state && !isPublished)
            expect(['retried', 'replacement-accepted', 'cancelled', 'cancel-undone']).toContain(event.kind);
          expect(next.endedAt !== null).toBe(isEnded(next.state));
          expect(next.clearedAt === null || (isEnded(next.state) && next.followUpAt === null)).toBe(true);
          if (next.state === 'waiting') expect(next.nextAttemptAt).not.toBeNull();
          if (next.state === 'failed') expect(next.error).not.toBeNull();
          // No event changes id, path and time of adding; the title changes only before an item may exist.
          expect([next.id, next.path, next.addedAt]).toEqual([upload.id, upload.path, upload.addedAt]);
          expect(next.title === upload.title || mayDescribe(upload, event)).toBe(true);
          upload = next;
        }
      }),
      { numRuns: 2000 },
    );
  });
});

function mayDescribe(upload: Upload, event: UploadEvent): boolean {
  return event.kind === 'described' && isDescribable(upload);
}

describe('commands', () => {
  it('apply only in the states that they are defined for', () => {
    expect(commandApplies('pause', 'complete')).toBe(false);
    expect(commandApplies('pause', 'processing')).toBe(false);
    expect(commandApplies('resume', 'sending')).toBe(false);
    expect(commandApplies('retry', 'failed')).toBe(true);
    expect(commandApplies('cancel', 'complete')).toBe(false);
    for (const states of Object.values(COMMAND_STATES)) {
      for (const state of states) expect(UPLOAD_STATES).toContain(state);
    }
  });
});
