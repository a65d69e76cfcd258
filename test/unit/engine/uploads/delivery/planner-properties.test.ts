import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import {
  afterFailure,
  failedStep,
  nextStep,
  type UploadStep,
} from '../../../../../electron/engine/uploads/delivery/planner.ts';
import { appError } from '../../../../../shared/contract/app-error.ts';
import type { ErrorCode } from '../../../../../shared/contract/errors/error-catalog.ts';
import { MAX_RETRIES } from '../../../../../shared/model/backoff.ts';
import type { RetriedStep } from '../../../../../shared/model/uploads/retries.ts';
import type { Upload, UploadEvent } from '../../../../../shared/model/uploads/upload.ts';
import {
  applyUploadEvent,
  commandApplies,
  type UploadCommand,
} from '../../../../../shared/model/uploads/upload-machine.ts';
import { isEnded } from '../../../../../shared/model/uploads/upload-states.ts';
import { anUpload, DESTINATION } from '../../../../helpers/data/upload-rows.ts';

const RUNS = 20_000;
/** A planner that has not ended after this number of rounds is in an endless loop. */
const MOST_ROUNDS = 200;

/** The outcome of one request. */
const OUTCOMES = [
  'done',
  'done, reply lost',
  'not done, reply lost',
  'refused',
  'maintenance',
  'signed out',
  'offline',
  'crash before',
  'crash after',
] as const;
type Outcome = (typeof OUTCOMES)[number];

type Turn =
  | { kind: 'step'; outcome: Outcome }
  | { kind: 'command'; command: UploadCommand }
  | {
      kind: 'world';
      change: 'item deleted' | 'file aborted' | 'processing failed' | 'processing ended' | 'file changed';
    };

/** Mostly success, so that every state of an upload is reached. */
const outcome = fc.oneof(fc.constant<Outcome>('done'), fc.constantFrom(...OUTCOMES));

const turn: fc.Arbitrary<Turn> = fc.oneof(
  { weight: 8, arbitrary: fc.record({ kind: fc.constant('step' as const), outcome }) },
  {
    weight: 2,
    arbitrary: fc.record({
      kind: fc.constant('command' as const),
      command: fc.constantFrom<UploadCommand>('pause', 'resume', 'cancel', 'retry'),
    }),
  },
  {
    weight: 1,
    arbitrary: fc.record({
      kind: fc.constant('world' as const),
      change: fc.constantFrom(
        'item deleted' as const,
        'file aborted' as const,
        'processing failed' as const,
        'processing ended' as const,
        'file changed' as const,
      ),
    }),
  },
);

const publish = fc.constantFrom<Upload['publish']>({ kind: 'draft' }, { kind: 'now' });

/** The steps that create, check, send or delete the file of an upload. */
type FileStep = Extract<
  UploadStep['kind'],
  'create-file' | 'clear-files' | 'check-file' | 'drop-file' | 'send' | 'finish' | 'poll'
>;

/** A minimal model of service and queue: the existing items and files, and the facts about them in the row. */
class Model {
  upload: Upload;
  now = 1_000_000;
  /** The number of existing items that were created for this upload. */
  items = 0;
  file: 'none' | 'uploading' | 'delivered' | 'processing' | 'complete' | 'error' | 'aborted' = 'none';
  deletedByOthers = false;
  #created = 0;
  #step: RetriedStep = 'look-at-file';
  #answered = 0;
  #before: Upload | null = null;

  constructor(publishChoice: Upload['publish']) {
    this.upload = anUpload({ publish: publishChoice, collectionId: '' });
  }

  take(next: Turn): void {
    if (next.kind === 'command') this.#command(next.command);
    else if (next.kind === 'world') this.#change(next.change);
    else this.step(next.outcome);
  }

  /** Runs one round: plan, act, record. Returns false when there was nothing to do. */
  step(outcome: Outcome, answered = 0): boolean {
    if (this.upload.nextAttemptAt !== null) this.now = Math.max(this.now, this.upload.nextAttemptAt);
    const step = nextStep(this.upload, this.now);
    if (step.kind === 'none') return false;
    if (step.kind !== 'await-follow-ups' && step.kind !== 'clean-up') this.#step = step.kind;
    this.#answered = answered;
    this.#before = this.upload;
    if (step.kind === 'create-item') {
      expect(this.items, 'a second item').toBe(0);
      expect(this.upload.collectionId, 'an item without a collection').not.toBe('');
    }
    if (['queued', 'waiting'].includes(this.upload.state)) this.#note({ kind: 'started' });
    this.now += 70_000;
    this.#intend(step);
    if (outcome === 'crash before') this.#note({ kind: 'interrupted' });
    else if (outcome === 'refused') this.#refuse(step, 'api.forbidden');
    else if (outcome === 'maintenance') this.#refuse(step, 'api.read-only');
    else if (outcome === 'signed out') this.#refuse(step, 'sign-in.required');
    else if (outcome === 'offline') this.#refuse(step, 'network.unreachable');
    else if (outcome === 'not done, reply lost') this.#fail('api.server-error');
    else this.#act(step, outcome);
    return true;
  }

  #note(event: UploadEvent): void {
    this.upload = applyUploadEvent(this.upload, event);
  }

  #fail(code: ErrorCode): void {
    const failed = failedStep(this.#step, this.#answered, this.#before ?? this.upload, this.upload);
    this.#note(afterFailure(this.upload, appError(code).toData(), this.now, failed));
  }

  #intend(step: UploadStep): void {
    if (step.kind === 'create-item') this.#note({ kind: 'item-intended', at: this.now });
    if (step.kind === 'create-file') this.#note({ kind: 'file-intended', at: this.now });
    if (step.kind === 'send') this.#note({ kind: 'send-started', at: this.now });
  }

  #refuse(step: UploadStep, code: ErrorCode): void {
    if (step.kind === 'create-item') this.#note({ kind: 'item-absent' });
    if (step.kind === 'create-file') this.#note({ kind: 'file-dropped' });
    if (step.kind !== 'clean-up') this.#fail(code);
  }

  /** Applies the effect of the request; the recorded event depends on the outcome. */
  #act(step: UploadStep, outcome: Outcome): void {
    const facts = this.#effect(step);
    if (outcome === 'done') for (const fact of facts) typeof fact === 'string' ? this.#fail(fact) : this.#note(fact);
    else if (outcome === 'crash after') this.#note({ kind: 'interrupted' });
    else if (step.kind !== 'clean-up') this.#fail('api.server-error');
  }

  #effect(step: UploadStep): (UploadEvent | ErrorCode)[] {
    const at = this.now;
    switch (step.kind) {
      case 'find-collection':
        return [{ kind: 'collection-found', collectionId: '1' }];
      case 'check-duplicates':
        return [{ kind: 'duplicates-checked', at }];
      case 'await-follow-ups':
        return [];
      case 'create-item':
        this.items += 1;
        return [{ kind: 'item-created', mediaId: `m${++this.#created}` }];
      case 'look-up-item':
        return [this.items > 0 ? { kind: 'item-created', mediaId: `m${this.#created}` } : { kind: 'item-absent' }];
      case 'publish':
        return [this.items > 0 ? { kind: 'published', at } : 'api.not-found'];
      case 'clean-up':
        this.items = 0;
        this.file = 'none';
        return [{ kind: 'cleaned-up' }];
      case 'none':
        return [];
      default:
        return this.#fileEffect(step.kind);
    }
  }

  #isReceived(): boolean {
    return this.file === 'processing' || this.file === 'complete';
  }

  #fileEffect(kind: FileStep): (UploadEvent | ErrorCode)[] {
    const at = this.now;
    switch (kind) {
      case 'create-file':
        if (this.items === 0) return [{ kind: 'item-gone' }, 'upload.destination-lost'];
        expect(this.file, 'another file while a spoiled one is there').not.toBe('error');
        this.file = 'uploading';
        return [{ kind: 'file-created', fileId: 'f', destination: DESTINATION, at }];
      case 'clear-files':
        if (this.items === 0) return [{ kind: 'item-gone' }, 'upload.destination-lost'];
        this.file = 'none';
        return [{ kind: 'file-dropped' }];
      case 'check-file':
        if (this.#isReceived()) {
          return [
            { kind: 'sent', at, sha256: null },
            { kind: 'finished', at },
          ];
        }
        this.file = 'none';
        return [{ kind: 'file-dropped' }];
      case 'drop-file':
        this.file = 'none';
        return [{ kind: 'file-dropped' }];
      case 'send':
        if (this.file !== 'uploading') return ['upload.destination-lost'];
        this.file = 'delivered';
        return [{ kind: 'sent', at, sha256: 'x' }];
      case 'finish':
        if (this.file === 'delivered') this.file = 'processing';
        if (this.#isReceived()) return [{ kind: 'finished', at }];
        this.file = 'none';
        return [{ kind: 'file-dropped' }, 'upload.not-received'];
      case 'poll':
        if (this.file === 'processing') this.file = 'complete';
        if (this.file === 'complete') return [{ kind: 'completed', at }];
        if (this.file === 'error') return ['upload.processing-failed'];
        this.file = 'none';
        return [{ kind: 'file-dropped' }, 'upload.destination-lost'];
    }
  }

  #command(command: UploadCommand): void {
    if (!commandApplies(command, this.upload.state)) return;
    if (command === 'pause') this.#note({ kind: 'paused' });
    if (command === 'resume') this.#note({ kind: 'resumed', transferAlive: false });
    if (command === 'cancel') this.#note({ kind: 'cancelled', at: this.now });
    if (command === 'retry') this.#note({ kind: 'retried' });
  }

  #change(change: (Turn & { kind: 'world' })['change']): void {
    if (change === 'item deleted') {
      this.deletedByOthers = true;
      this.items = 0;
      this.file = 'none';
    } else if (change === 'file aborted' && this.file === 'uploading') this.file = 'aborted';
    else if (change === 'processing failed' && this.file === 'processing') this.file = 'error';
    else if (change === 'processing ended' && this.file === 'processing') this.file = 'complete';
    else if (change === 'file changed' && this.upload.sendStartedAt === null && !isEnded(this.upload.state)) {
      this.#note({
        kind: 'file-seen',
        sizeBytes: this.upload.sizeBytes + 1,
        mtimeMs: 2,
        identity: '1:1',
        edgeHash: 'e',
      });
    }
  }
}

function modelAfter(turns: readonly Turn[], choice: Upload['publish']): Model {
  const model = new Model(choice);
  for (const each of turns) model.take(each);
  return model;
}

/** Steps that can fail separately: undoing a request with an unknown outcome is part of that request. */
const FAILING = ['check-duplicates', 'create-item', 'create-file', 'send', 'finish', 'poll', 'publish'] as const;

function mostOf({ retriesByStep }: Upload): number {
  return Math.max(0, ...Object.values(retriesByStep).map(({ count }) => count));
}

const turns = fc.array(turn, { maxLength: 60 });

/** Runs the upload to its end while one step always fails. Returns the number of failures. */
function runFailing(model: Model, failing: UploadStep['kind'], answers: readonly number[]): number {
  let failures = 0;
  for (let round = 0; round < MOST_ROUNDS && !isEnded(model.upload.state); round += 1) {
    const fails = nextStep(model.upload, model.now).kind === failing;
    if (fails) failures += 1;
    model.step(fails ? 'not done, reply lost' : 'done', fails ? (answers[failures] ?? 0) : 0);
  }
  return failures;
}

describe('the planner, after any sequence of outcomes', () => {
  it('creates no second item while the first may exist', () => {
    fc.assert(
      fc.property(turns, publish, (list, choice) => {
        expect(modelAfter(list, choice).items).toBeLessThanOrEqual(1);
      }),
      { numRuns: RUNS },
    );
  });

  it(`ends or pauses each upload within ${MOST_ROUNDS} rounds when no more errors happen`, () => {
    fc.assert(
      fc.property(turns, publish, (list, choice) => {
        const model = modelAfter(list, choice);
        let rounds = 0;
        while (rounds <= MOST_ROUNDS && model.step('done')) rounds += 1;
        expect(rounds).toBeLessThanOrEqual(MOST_ROUNDS);
        expect(isEnded(model.upload.state) || model.upload.state === 'paused', model.upload.state).toBe(true);
        if (model.upload.state === 'complete' && !model.deletedByOthers)
          expect([model.items, model.file]).toEqual([1, 'complete']);
      }),
      { numRuns: RUNS },
    );
  });

  it('stops each upload at most one round after one step has used up its attempts when every step fails', () => {
    fc.assert(
      fc.property(turns, publish, (list, choice) => {
        const model = modelAfter(list, choice);
        let rounds = 0;
        while (rounds <= MOST_ROUNDS && !isEnded(model.upload.state) && model.step('not done, reply lost')) rounds += 1;
        // The round of a creation with an unknown outcome, then the first attempt and the retries of the search.
        expect(rounds).toBeLessThanOrEqual(1 + MAX_RETRIES + 1);
        expect(mostOf(model.upload)).toBeLessThanOrEqual(MAX_RETRIES);
      }),
      { numRuns: RUNS },
    );
  });

  it('gives an upload up when one step never succeeds, whatever the other steps do', () => {
    fc.assert(
      fc.property(fc.constantFrom(...FAILING), publish, fc.array(fc.nat(3)), (failing, choice, answers) => {
        const model = new Model(choice);
        const failures = runFailing(model, failing, answers);
        const isReached = failing !== 'publish' || choice.kind !== 'draft';
        // The file of an upload that can't be published has arrived: the upload is complete, with a publication to
        // retry.
        expect(model.upload.state, failing).toBe(failing === 'publish' ? 'complete' : 'failed');
        const unpublished = model.upload.followUps.filter(
          ({ kind, state }) => kind === 'publish' && state === 'failed',
        );
        expect(unpublished).toHaveLength(failing === 'publish' && isReached ? 1 : 0);
        // A step of four requests can get one request further three times; each time its retries are counted anew.
        if (isReached) expect(failures).toBeLessThanOrEqual(4 * (MAX_RETRIES + 1));
      }),
      { numRuns: 2000 },
    );
  });

  it('repeats the delivery of a file that is lost each time at most as often as the API allows retries', () => {
    fc.assert(
      fc.property(fc.array(fc.constantFrom('done', 'not done, reply lost'), { maxLength: 4000 }), (outcomes) => {
        const model = new Model({ kind: 'draft' });
        let deliveries = 0;
        for (const outcome of outcomes) {
          if (isEnded(model.upload.state)) break;
          if (model.upload.finishedAt !== null && model.file === 'processing') {
            deliveries += 1;
            model.file = 'aborted';
          }
          model.step(outcome as Outcome);
        }
        expect(deliveries).toBeLessThanOrEqual(MAX_RETRIES + 1);
        expect(model.upload.state).not.toBe('complete');
      }),
      { numRuns: 2000 },
    );
  });

  it('completes each upload when no step fails twice in a row', () => {
    fc.assert(
      fc.property(publish, fc.array(fc.boolean(), { minLength: 400, maxLength: 400 }), (choice, errs) => {
        const model = new Model(choice);
        const failedLast = new Set<UploadStep['kind']>();
        for (const err of errs) {
          const { kind } = nextStep(model.upload, model.now);
          const fails = err && !failedLast.has(kind);
          if (!model.step(fails ? 'not done, reply lost' : 'done')) break;
          expect(mostOf(model.upload)).toBeLessThanOrEqual(1);
          if (fails) failedLast.add(kind);
          else failedLast.delete(kind);
        }
        expect(model.upload.state).toBe('complete');
      }),
      { numRuns: 2000 },
    );
  });

  it('returns the same plan for the same row, whatever it planned before', () => {
    fc.assert(
      fc.property(turns, publish, (list, choice) => {
        const { upload, now } = modelAfter(list, choice);
        const stored = JSON.parse(JSON.stringify(upload)) as Upload;
        expect(nextStep(stored, now)).toEqual(nextStep(upload, now));
        expect(stored).toEqual(upload);
      }),
      { numRuns: RUNS },
    );
  });
});

/** Decisions of the user and facts that arrive in the meantime: they are independent of each other. */
const word = fc.constantFrom<UploadEvent>({ kind: 'paused' }, { kind: 'cancelled', at: 9 });
const knowledge = fc.constantFrom<UploadEvent>(
  { kind: 'item-intended', at: 5 },
  { kind: 'item-created', mediaId: 'm9' },
  { kind: 'item-absent' },
  { kind: 'file-intended', at: 5 },
  { kind: 'file-created', fileId: 'f9', destination: DESTINATION, at: 6 },
  { kind: 'send-started', at: 7 },
  { kind: 'sent', at: 8, sha256: 'x' },
  { kind: 'file-seen', sizeBytes: 5, mtimeMs: 6, identity: '1:2', edgeHash: 'e' },
);

describe('independent events', () => {
  it('lead to the same row in either order', () => {
    fc.assert(
      fc.property(turns, word, knowledge, (list, said, learned) => {
        const { upload } = modelAfter(list, { kind: 'draft' });
        fc.pre(!isEnded(upload.state));
        // The values that a cancel replaced contain its time; only whether it can be undone must be equal.
        const both = (events: UploadEvent[]) => {
          const row = events.reduce(applyUploadEvent, upload);
          return { ...row, cancelledFrom: row.cancelledFrom !== null };
        };
        expect(both([said, learned])).toEqual(both([learned, said]));
      }),
      { numRuns: RUNS },
    );
  });

  it('change nothing when they are repeated', () => {
    fc.assert(
      fc.property(turns, knowledge, (list, learned) => {
        const { upload } = modelAfter(list, { kind: 'draft' });
        const once = applyUploadEvent(upload, learned);
        expect(applyUploadEvent(once, learned)).toEqual(once);
      }),
      { numRuns: RUNS },
    );
  });
});
