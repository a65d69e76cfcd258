import { setImmediate as nextTurn } from 'node:timers/promises';
import { isTextField } from '../../../../shared/item/fields.ts';
import { type EditableMedia, type EditOp, editableOf, fieldOf } from '../../../../shared/model/edits/edit-ops.ts';
import { fold } from '../../../../shared/model/edits/fold.ts';
import type { Mirrors, Overlay } from '../../mirror/mirrors.ts';
import { type EditJournal, keyOfEntity } from '../journal/edit-journal.ts';
import { pendingOpsOf, wireTextsOf } from '../journal/effective-items.ts';

/** Items per turn of the event loop: an edit of thousands of items must not block the process. */
const SLICE = 50;

/**
 * Keeps the overlays of the mirror equal to the journal: lists show an item with its pending edits, while the mirror itself
 * contains the library's values.
 */
export class Overlays {
  readonly #journal: EditJournal;
  readonly #mirrors: Mirrors;
  readonly #stale = new Map<string, { siteId: string; entityId: string }>();
  #isWorking = false;
  #isStopped = false;

  constructor(journal: EditJournal, mirrors: Mirrors) {
    this.#journal = journal;
    this.#mirrors = mirrors;
  }

  /** The edits of an item changed. */
  note(siteId: string, entityId: string): void {
    this.#stale.set(keyOfEntity(siteId, entityId), { siteId, entityId });
    void this.#work();
  }

  /** Sets all overlays again after the copy of a library was created again. */
  noteSite(siteId: string): void {
    for (const entity of this.#journal.openEntities()) {
      const { entityKind, entityId } = entity;
      if (entity.siteId === siteId && entityKind === 'media') this.note(siteId, entityId);
    }
  }

  /**
   * Sets the overlays after all copies were opened. The last process may have ended between the end of an edit and the removal of
   * its overlay, so items with an overlay are compared with the journal, too.
   */
  noteAll(): void {
    for (const { siteId, entityKind, entityId } of this.#journal.openEntities()) {
      if (entityKind === 'media') this.note(siteId, entityId);
    }
    for (const { siteId, mediaId } of this.#mirrors.overlaid()) this.note(siteId, mediaId);
  }

  stop(): void {
    this.#isStopped = true;
    this.#stale.clear();
  }

  async #work(): Promise<void> {
    if (this.#isWorking) return;
    this.#isWorking = true;
    try {
      while (this.#stale.size > 0) {
        await nextTurn();
        for (const [key, { siteId, entityId }] of [...this.#stale].slice(0, SLICE)) {
          if (this.#isStopped) return;
          this.#stale.delete(key);
          this.#mirrors.setOverlay(siteId, entityId, this.#overlayOf(siteId, entityId));
        }
      }
    } finally {
      this.#isWorking = false;
    }
  }

  #overlayOf(siteId: string, entityId: string): Overlay | null {
    const ops = pendingOpsOf(this.#journal, siteId, entityId);
    const truth = this.#mirrors.items(siteId, [entityId]).get(entityId);
    if (ops.length === 0 || truth === undefined) return null;
    const values = fold(editableOf(truth), ops);
    return values === null ? 'deleted' : overlayOf(values, ops);
  }
}

/** Returns the values that the ops change; the other values are the library's. */
function overlayOf(values: EditableMedia, ops: readonly EditOp[]): Overlay {
  const texts = wireTextsOf(values);
  const overlay: Exclude<Overlay, 'deleted'> = {};
  for (const field of new Set(ops.map(fieldOf))) {
    if (isTextField(field)) {
      Object.assign(overlay, { [field]: texts[field] });
      continue;
    }
    switch (field) {
      case 'tags':
        overlay.tags = [...values.tags];
        break;
      case 'collection':
        overlay.collection_id = values.collectionId;
        break;
      case 'publication':
        overlay.status = values.status;
        overlay.publish_on = values.publishOn;
        break;
      case 'files':
      case 'item':
        break;
    }
  }
  return overlay;
}
