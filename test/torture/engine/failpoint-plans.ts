import { MIRROR_REMOVED } from '../../../electron/engine/mirror/mirror-file.ts';
import { migrationName } from '../../../electron/engine/store/failpoint-database.ts';
import { MIGRATIONS } from '../../../electron/engine/store/migrations.ts';
import { ROW_MARK } from '../../../electron/engine/store/row-mark.ts';
import { SET_ASIDE } from '../../../electron/engine/store/set-aside.ts';
import { SEND_MOMENTS } from '../../../electron/engine/uploads/delivery/sender/failpoint-sender.ts';
import type { UploadEvent } from '../../../shared/model/uploads/upload.ts';

/**
 * The action by which an engine reaches an effect: `journey` signs in and uploads, `troubles` uploads with refusals,
 * broken connections and user commands, `library` changes items and signs out, `damage` starts on an unreadable queue,
 * `afterwards` sends captions and a picture after a recording and then moves it, `station` watches a folder.
 */
export const STORIES = ['journey', 'troubles', 'library', 'damage', 'afterwards', 'station'] as const;
export type Story = (typeof STORIES)[number];

/** Every event of an upload. The type makes a new event a compile error here until it has a story. */
const EVENTS: Record<UploadEvent['kind'], Story> = {
  started: 'journey',
  'file-seen': 'journey',
  'collection-found': 'journey',
  described: 'afterwards',
  'file-moved': 'troubles',
  watched: 'troubles',
  answered: 'troubles',
  'follow-up-added': 'station',
  'follow-up-noted': 'afterwards',
  'companion-accepted': 'afterwards',
  'follow-up-done': 'afterwards',
  'follow-up-failed': 'afterwards',
  'follow-up-delayed': 'afterwards',
  'follow-ups-retried': 'afterwards',
  'duplicates-checked': 'journey',
  'duplicate-resolved': 'troubles',
  skipped: 'troubles',
  'item-intended': 'journey',
  'item-created': 'journey',
  'item-absent': 'troubles',
  'item-gone': 'troubles',
  'file-intended': 'journey',
  'file-created': 'journey',
  'file-dropped': 'troubles',
  'send-started': 'journey',
  sent: 'journey',
  finished: 'journey',
  completed: 'journey',
  published: 'journey',
  'publish-refused': 'troubles',
  delayed: 'troubles',
  failed: 'troubles',
  'put-back': 'troubles',
  interrupted: 'troubles',
  paused: 'troubles',
  resumed: 'troubles',
  cancelled: 'troubles',
  'cancel-undone': 'troubles',
  'cleaned-up': 'troubles',
  retried: 'troubles',
  'replacement-accepted': 'troubles',
  cleared: 'troubles',
  'clear-undone': 'troubles',
};

/** Statements that write, by `writeName`. */
const STATEMENTS: Record<string, Story> = {
  'store.insert.batches': 'journey',
  'store.update.batches': 'journey',
  'store.insert.uploads': 'journey',
  'store.insert.follow_ups': 'afterwards',
  // At every start, for unreadable rows.
  'store.delete.follow_ups': 'journey',
  'store.update.follow_ups': 'journey',
  'store.insert.file_hashes': 'troubles',
  'store.delete.file_hashes': 'troubles',
  'store.update.uploads': 'journey',
  'store.insert.sites': 'journey',
  'store.insert.settings': 'troubles',
  'store.insert.watched_folders': 'station',
  'store.update.watched_folders': 'station',
  'store.delete.watched_folders': 'station',
  'store.insert.watched_files': 'station',
  'store.update.watched_files': 'station',
  'store.delete.watched_files': 'station',
  'store.insert.watched_contents': 'station',
  'store.delete.watched_contents': 'station',
  'store.insert.watched_batches': 'station',
  'store.delete.watched_batches': 'station',
  // The mirror of a library.
  'store.insert.media': 'library',
  'store.update.media': 'library',
  'store.delete.media': 'library',
  'store.insert.overlays': 'library',
  'store.delete.overlays': 'library',
  'store.insert.view_media': 'library',
  'store.update.view_media': 'library',
  'store.delete.view_media': 'library',
  'store.insert.media_tags': 'library',
  'store.delete.media_tags': 'library',
  'store.insert.media_text': 'library',
  'store.delete.media_text': 'library',
  'store.insert.media_fts': 'library',
  'store.delete.media_fts': 'library',
  'store.insert.media_fields': 'library',
  'store.delete.media_fields': 'library',
  'store.insert.title_trigram': 'library',
  'store.delete.title_trigram': 'library',
  'store.insert.collections': 'library',
  'store.delete.collections': 'library',
  'store.insert.collection_details': 'library',
  'store.delete.collection_details': 'library',
  'store.insert.sync_state': 'library',
  'store.delete.sync_state': 'library',
  [MIRROR_REMOVED]: 'library',
  'store.insert.edit_groups': 'library',
  'store.update.edit_groups': 'library',
  // Occurs at every start, for groups that a crash left incomplete.
  'store.delete.edit_groups': 'journey',
  'store.insert.edits': 'library',
  'store.update.edits': 'library',
  'store.delete.edits': 'journey',
  'store.insert.entity_refs': 'library',
  'store.update.entity_refs': 'library',
  'store.transaction': 'journey',
  [ROW_MARK]: 'journey',
  [SET_ASIDE]: 'damage',
};

/** Requests that can change something, by `exchangeName`. */
const REQUESTS: Record<string, Story> = {
  'api.post.oauth.access_token': 'journey',
  'api.post.media': 'journey',
  'api.post.media.id.files': 'journey',
  'api.post.elsewhere': 'journey',
  'api.post.media.id.publish': 'journey',
  'api.delete.media.id': 'troubles',
  'api.delete.media.id.files.id': 'troubles',
  'api.post.media.id.thumbs': 'afterwards',
  'api.post.media.id.add-tags': 'library',
  'api.post.media.id.remove-tags': 'afterwards',
  'api.post.collections': 'library',
  'api.post.collections.id': 'library',
  'api.post.collections.id.thumbs': 'library',
  'api.post.collections.id.reslugify': 'library',
  'api.post.collections.id.move': 'library',
  'api.post.collections.id.podcast-details': 'library',
  'api.delete.collections.id': 'library',
  'api.post.media.id': 'library',
  'api.post.media.id.unpublish': 'library',
};

/** Statements about commands, which each part has of its own. */
const COMMANDS = ['insert', 'update', 'delete'].flatMap((verb) =>
  (['troubles', 'library'] as const).map((story): [string, Story] => [`store.${verb}.bulk_commands`, story]),
);

const PLANS: readonly [name: string, story: Story][] = [
  ...Object.entries(EVENTS).map(([kind, story]): [string, Story] => [`journal.${kind}`, story]),
  ...Object.entries(STATEMENTS),
  ...Object.entries(REQUESTS),
  ...MIGRATIONS.map((_, index): [string, Story] => [migrationName(index + 1), 'journey']),
  ...['send', ...SEND_MOMENTS].map((name): [string, Story] => [name, 'journey']),
  ...['file.rename', 'file.copy', 'file.remove', 'file.trash'].map((name): [string, Story] => [name, 'afterwards']),
  ['keychain.set', 'journey'],
  ['keychain.delete', 'library'],
  ...COMMANDS,
];

/** Every failpoint of the engine with the stories that reach it. */
export const FAILPOINT_PLANS: ReadonlyMap<string, readonly Story[]> = new Map(
  Object.entries(Object.groupBy(PLANS, ([name]) => name)).map(([name, plans = []]) => [
    name,
    plans.map(([, story]) => story),
  ]),
);
