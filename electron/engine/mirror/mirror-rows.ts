import { htmlToText, WORDS } from '../../../shared/api/html-text.ts';
import type { MediaItem } from '../../../shared/api/media.ts';
import type { ItemFileFacts } from '../../../shared/contract/library.ts';
import { TEXT_FIELDS } from '../../../shared/item/fields.ts';
import { isoOf } from '../../../shared/model/iso-instant.ts';
import { folded } from '../../../shared/model/library-query/searched-text.ts';
import type { Database, SqlRow, Statement } from '../store/database.ts';
import type { Overlay } from './mirrors.ts';
import { sortKeysOf } from './sort-keys.ts';

/** The values of `view_media.pending`. */
export const PENDING = { none: 0, edited: 1, deleted: 2 } as const;

/** The value of `view_media.size_bytes` of an item whose files have no known size, such as one without files. */
export const NO_SIZE = -1;

/**
 * The values of `media.absence`. `listed`: the library lists the item. `hidden`: the library stopped listing it, and lists here
 * do not show it. `gone`: the library stopped listing it, but it has pending edits, so lists here still show it.
 */
const ABSENCE = { listed: 0, hidden: 1, gone: 2 } as const;

/**
 * Writes the items of one mirror. Every change of an item or of its overlay derives its row of `view_media`, its tags and its
 * search text again, by one function, in the same transaction. The caller starts and ends the transaction.
 */
export class MirrorRows {
  readonly #one: Statement;
  readonly #newer: Statement;
  readonly #sameAge: Statement;
  readonly #insert: Statement;
  readonly #update: Statement;
  readonly #delete: Statement;
  readonly #overlay: Statement;
  readonly #setOverlay: Statement;
  readonly #dropOverlay: Statement;
  readonly #files: Statement;
  readonly #view: Statement;
  readonly #dropView: Statement;
  readonly #tag: Statement;
  readonly #dropTags: Statement;
  readonly #text: Statement;
  readonly #dropText: Statement;
  readonly #index: Statement;
  readonly #dropIndex: Statement;
  readonly #fields: Statement;
  readonly #dropFields: Statement;
  readonly #title: Statement;
  readonly #dropTitle: Statement;
  readonly #vanish: Statement;
  readonly #inserted: Statement;
  readonly #viewTags: Statement;
  readonly #noteFiles: Statement;
  readonly #noteCaptions: Statement;

  constructor(database: Database) {
    const prepare = (sql: string) => database.prepare(sql);
    this.#one = prepare('SELECT seq, item, absence FROM media WHERE id = $id');
    this.#newer = prepare('SELECT 1 FROM media WHERE id = $id AND absence = 0 AND modified_on > $modifiedOn');
    this.#sameAge = prepare('SELECT 1 FROM media WHERE id = $id AND absence = 0 AND modified_on IS $modifiedOn');
    this.#insert = prepare(
      'INSERT INTO media (id, created_on, modified_on, item) VALUES ($id, $createdOn, $modifiedOn, $item)',
    );
    this.#inserted = prepare('SELECT last_insert_rowid() AS seq');
    this.#update = prepare(
      `UPDATE media SET created_on = $createdOn, modified_on = $modifiedOn, item = $item, absence = 0
       WHERE seq = $seq`,
    );
    this.#delete = prepare('DELETE FROM media WHERE seq = $seq');
    this.#vanish = prepare('UPDATE media SET absence = $absence WHERE seq = $seq');
    this.#overlay = prepare('SELECT fields FROM overlays WHERE media_id = $id');
    this.#setOverlay = prepare(
      `INSERT INTO overlays (media_id, fields) VALUES ($id, $fields)
       ON CONFLICT (media_id) DO UPDATE SET fields = $fields`,
    );
    this.#dropOverlay = prepare('DELETE FROM overlays WHERE media_id = $id');
    this.#files = prepare('SELECT type, has_captions, size_bytes FROM view_media WHERE seq = $seq');
    this.#view = prepare(
      `INSERT INTO view_media (seq, id, id_key, title, title_folded, type, status, collection_id, byline, duration,
         created_on, modified_on, publish_on, popularity, likes, comments, tags, has_description, has_captions, size_bytes,
         pending, title_key, byline_key, tags_key)
       VALUES ($seq, $id, $idKey, $title, $titleFolded, $type, $status, $collectionId, $byline, $duration,
         $createdOn, $modifiedOn, $publishOn, $popularity, $likes, $comments, $tags, $hasDescription, $hasCaptions, $sizeBytes,
         $pending, $titleKey, $bylineKey, $tagsKey)`,
    );
    this.#dropView = prepare('DELETE FROM view_media WHERE seq = $seq');
    this.#tag = prepare('INSERT OR IGNORE INTO media_tags (tag, seq) VALUES ($tag, $seq)');
    this.#dropTags = prepare('DELETE FROM media_tags WHERE seq = $seq AND tag IN (SELECT value FROM json_each($tags))');
    this.#text = prepare('INSERT INTO media_text (seq, folded) VALUES ($seq, $folded)');
    this.#dropText = prepare('DELETE FROM media_text WHERE seq = $seq');
    this.#index = prepare('INSERT INTO media_fts (rowid, text) VALUES ($seq, $folded)');
    this.#fields = prepare(
      'INSERT INTO media_fields (rowid, title, tags, byline) VALUES ($seq, $title, $tags, $byline)',
    );
    this.#dropFields = prepare('DELETE FROM media_fields WHERE rowid = $seq');
    this.#dropIndex = prepare('DELETE FROM media_fts WHERE rowid = $seq');
    this.#title = prepare('INSERT INTO title_trigram (rowid, title) VALUES ($seq, $title)');
    this.#dropTitle = prepare('DELETE FROM title_trigram WHERE rowid = $seq');
    this.#viewTags = prepare('SELECT tags FROM view_media WHERE seq = $seq');
    this.#noteFiles = prepare(
      'UPDATE view_media SET has_captions = $hasCaptions, size_bytes = $sizeBytes WHERE seq = $seq',
    );
    this.#noteCaptions = prepare('UPDATE view_media SET has_captions = 1 WHERE seq = $seq AND has_captions IS NOT 1');
  }

  /** Stores an item as the library has it. Returns false when the mirror had the same values. */
  put(item: MediaItem): boolean {
    const text = JSON.stringify(item);
    const known = this.#one.get({ id: item.id });
    if (known?.item === text && known.absence === ABSENCE.listed) return false;
    const facts = { createdOn: secondsOf(item.created_on), modifiedOn: secondsOf(item.modified_on), item: text };
    let seq: number;
    if (known === undefined) {
      this.#insert.run({ id: item.id, ...facts });
      seq = Number(this.#inserted.get()?.seq);
    } else {
      seq = Number(known.seq);
      this.#update.run({ seq, ...facts });
    }
    this.#derive(seq, item, known !== undefined);
    return true;
  }

  /** Returns whether the mirror lists the item with a later `modified_on`. */
  hasNewer(item: MediaItem): boolean {
    return this.#newer.get({ id: item.id, modifiedOn: secondsOf(item.modified_on) }) !== undefined;
  }

  /** Returns whether the mirror has the item with the same `modified_on`; its values may differ. */
  hasSameAge(item: MediaItem): boolean {
    return this.#sameAge.get({ id: item.id, modifiedOn: secondsOf(item.modified_on) }) !== undefined;
  }

  /** Removes an item. Returns false when the mirror does not have it. */
  remove(id: string): boolean {
    const seq = this.#one.get({ id })?.seq;
    this.#dropOverlay.run({ id });
    if (seq === undefined) return false;
    this.#delete.run({ seq });
    this.#underive(Number(seq));
    return true;
  }

  /**
   * Records that the library stopped listing an item: lists hide it until it is read again or removed. An item with pending edits
   * stays visible.
   */
  vanish(id: string, hasEdits: boolean): void {
    const seq = this.#one.get({ id })?.seq;
    if (seq === undefined) return;
    this.#vanish.run({ seq, absence: hasEdits ? ABSENCE.gone : ABSENCE.hidden });
    if (!hasEdits) this.#underive(Number(seq));
  }

  /** Returns whether an item is shown with pending edits. */
  hasEdits(id: string): boolean {
    return this.#overlay.get({ id }) !== undefined;
  }

  /** Sets the overlay of an item. Returns false when the item has that overlay already. */
  setOverlay(id: string, overlay: Overlay | null): boolean {
    const fields = overlay === null ? null : JSON.stringify(overlay);
    const before = this.#overlay.get({ id })?.fields ?? null;
    if (fields === before) return false;
    if (fields === null) this.#dropOverlay.run({ id });
    else this.#setOverlay.run({ id, fields });
    const known = this.#one.get({ id });
    if (known !== undefined && known.absence !== ABSENCE.hidden) {
      this.#derive(Number(known.seq), JSON.parse(String(known.item)) as MediaItem, true);
    }
    return true;
  }

  /** Records what only the files of an item show. Returns false when that was known before. */
  noteFiles(id: string, facts: ItemFileFacts): boolean {
    const seq = this.#one.get({ id })?.seq;
    if (seq === undefined) return false;
    const known = this.#files.get({ seq });
    const [hasCaptions, sizeBytes] = [Number(facts.hasCaptions), facts.sizeBytes ?? NO_SIZE];
    if (known?.has_captions === hasCaptions && known.size_bytes === sizeBytes) return false;
    this.#noteFiles.run({ seq, hasCaptions, sizeBytes });
    return true;
  }

  /** Records that an item has captions. Returns false when that was known before, or the item is not in the mirror. */
  noteCaptions(id: string): boolean {
    const seq = this.#one.get({ id })?.seq;
    return seq !== undefined && this.#noteCaptions.run({ seq }).changes > 0;
  }

  #overlayOf(id: string): Overlay | null {
    const row = this.#overlay.get({ id });
    return row === undefined ? null : (JSON.parse(String(row.fields)) as Overlay);
  }

  /** Derives all values that lists and searches read from an item and its overlay. */
  #derive(seq: number, item: MediaItem, isKnown: boolean): void {
    const overlay = this.#overlayOf(item.id);
    const known = isKnown ? this.#files.get({ seq }) : undefined;
    // What was known of an item of another type says nothing about this one.
    const hasCaptions = (known?.type === item.type ? known.has_captions : null) ?? captionsOf(item);
    if (isKnown) this.#underive(seq);
    const shown = overlay === null || overlay === 'deleted' ? item : { ...item, ...overlay };
    const titleFolded = folded(shown.title);
    const description = plainDescription(item, shown);
    this.#view.run({
      seq,
      id: item.id,
      idKey: idKeyOf(item.id),
      title: shown.title,
      titleFolded,
      type: shown.type,
      status: shown.status,
      collectionId: shown.collection_id,
      byline: shown.byline,
      duration: shown.duration,
      createdOn: secondsOf(shown.created_on),
      modifiedOn: secondsOf(shown.modified_on),
      publishOn: secondsOf(shown.publish_on),
      popularity: shown.views_count,
      likes: shown.likes_count,
      comments: shown.comments_count,
      tags: JSON.stringify(shown.tags),
      hasDescription: Number(description.trim() !== ''),
      hasCaptions: hasCaptions as number | null,
      sizeBytes: (known?.size_bytes ?? null) as number | null,
      pending: overlay === null ? PENDING.none : overlay === 'deleted' ? PENDING.deleted : PENDING.edited,
      ...sortKeysOf(shown),
    });
    for (const tag of shown.tags) this.#tag.run({ seq, tag });
    const fields = { title: titleFolded, tags: folded(shown.tags.join('\n')), byline: folded(shown.byline ?? '') };
    const { tags } = fields;
    const words = TEXT_FIELDS.map((field) => folded(field === 'description' ? description : (shown[field] ?? '')));
    const text = [...words, tags].filter((part) => part !== '').join(' ');
    this.#text.run({ seq, folded: text });
    this.#index.run({ seq, folded: text });
    this.#fields.run({ seq, ...fields });
    this.#title.run({ seq, title: titleFolded });
  }

  #underive(seq: number): void {
    const tags = this.#viewTags.get({ seq })?.tags;
    if (typeof tags === 'string') this.#dropTags.run({ seq, tags });
    this.#dropView.run({ seq });
    this.#dropText.run({ seq });
    this.#dropIndex.run({ seq });
    this.#dropFields.run({ seq });
    this.#dropTitle.run({ seq });
  }
}

/**
 * Returns whether an item has captions. They belong to a video file, so items of other types have none. null: only the files of
 * the item show it.
 */
function captionsOf({ type }: MediaItem): number | null {
  return type === 'audio' || type === 'doc' || type === 'image' ? 0 : null;
}

/** Returns the library's own plain text, unless the description was edited. */
function plainDescription(item: MediaItem, shown: MediaItem): string {
  if (shown.description === item.description && item.description_plain !== null) return item.description_plain;
  return htmlToText(shown.description ?? '', WORDS);
}

/** Returns epoch seconds; null for a text that is no instant. */
export function secondsOf(instant: string | null): number | null {
  if (instant === null) return null;
  const ms = Date.parse(instant);
  return Number.isNaN(ms) ? null : Math.floor(ms / 1000);
}

/** Returns epoch seconds in the form of the API. */
export function apiInstantOf(seconds: number): string {
  return isoOf(seconds * 1000);
}

/**
 * Returns the key by which ids are sorted. Ids that are numbers come in numeric order, before all others: libraries count their
 * items.
 */
function idKeyOf(id: string): number | string {
  return /^(?:0|[1-9]\d{0,14})$/.test(id) ? Number(id) : id;
}

/** Restores the item of a row of `media`. */
export function itemOf(row: SqlRow): MediaItem {
  return JSON.parse(String(row.item)) as MediaItem;
}
