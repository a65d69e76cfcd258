import type { Command } from './command-base/define-command.ts';
import { collectionsCommand, collectionsListCommand } from './commands/collections.ts';
import {
  collectionsCreateCommand,
  collectionsEditCommand,
  collectionsMoveCommand,
  collectionsRenameCommand,
} from './commands/collections-change.ts';
import { collectionsDeleteCommand } from './commands/collections-delete.ts';
import { collectionsMembersCommand } from './commands/collections-members.ts';
import { describeCommand } from './commands/describe.ts';
import { doctorCommand } from './commands/doctor.ts';
import { duplicatesListCommand } from './commands/duplicates-list.ts';
import { duplicatesSkipCommand, duplicatesUploadCommand } from './commands/duplicates-resolve.ts';
import { editCommand } from './commands/edit.ts';
import {
  editsDropCommand,
  editsListCommand,
  editsRedoCommand,
  editsResolveCommand,
  editsRetryCommand,
  editsShowCommand,
  editsUndoCommand,
} from './commands/edits.ts';
import {
  captionsAddCommand,
  captionsDeleteCommand,
  captionsListCommand,
  collectionsThumbnailCommand,
  filesAddCommand,
  filesDeleteCommand,
  filesEmbedCommand,
  filesListCommand,
  filesReplaceCommand,
  thumbnailSetCommand,
} from './commands/item-files.ts';
import { itemsNewCommand, itemsUseCommand } from './commands/items-choose.ts';
import { itemsListCommand } from './commands/items-list.ts';
import { libraryDownloadCommand } from './commands/library-download.ts';
import { libraryExportCommand } from './commands/library-export.ts';
import { libraryImportCommand } from './commands/library-import.ts';
import { libraryListCommand, librarySearchCommand } from './commands/library-list.ts';
import { libraryShowCommand } from './commands/library-show.ts';
import { librarySyncCommand } from './commands/library-sync.ts';
import { podcastGetCommand, podcastSetCommand } from './commands/podcast.ts';
import { queueCancelCommand } from './commands/queue-cancel.ts';
import { queueListCommand } from './commands/queue-list.ts';
import { queueMoveCommand } from './commands/queue-move.ts';
import { queueNextCommand } from './commands/queue-next.ts';
import { queuePauseCommand } from './commands/queue-pause.ts';
import { queuePriorityCommand } from './commands/queue-priority.ts';
import { queueResumeCommand } from './commands/queue-resume.ts';
import { queueRetryCommand } from './commands/queue-retry.ts';
import { receiptCommand } from './commands/receipt.ts';
import { receiptsSearchCommand } from './commands/receipts-search.ts';
import { settingsCommand } from './commands/settings.ts';
import { signInCommand } from './commands/sign-in.ts';
import { signOutCommand } from './commands/sign-out.ts';
import { sitesCommand } from './commands/sites.ts';
import { uploadCommand } from './commands/upload.ts';
import {
  watchAddCommand,
  watchEditCommand,
  watchListCommand,
  watchPreviewCommand,
  watchRemoveCommand,
} from './commands/watch-folders.ts';
import { watchRunCommand } from './commands/watch-run.ts';

/** All commands, in the order of the help. */
export const COMMANDS: readonly Command[] = [
  signInCommand,
  signOutCommand,
  sitesCommand,
  collectionsCommand,
  collectionsListCommand,
  collectionsCreateCommand,
  collectionsEditCommand,
  collectionsRenameCommand,
  collectionsMoveCommand,
  collectionsDeleteCommand,
  collectionsThumbnailCommand,
  collectionsMembersCommand,
  podcastGetCommand,
  podcastSetCommand,
  libraryListCommand,
  librarySearchCommand,
  libraryShowCommand,
  librarySyncCommand,
  libraryDownloadCommand,
  filesListCommand,
  filesAddCommand,
  filesReplaceCommand,
  filesEmbedCommand,
  filesDeleteCommand,
  captionsListCommand,
  captionsAddCommand,
  captionsDeleteCommand,
  thumbnailSetCommand,
  libraryExportCommand,
  libraryImportCommand,
  editCommand,
  describeCommand,
  editsListCommand,
  editsShowCommand,
  editsRetryCommand,
  editsDropCommand,
  editsResolveCommand,
  editsRedoCommand,
  editsUndoCommand,
  uploadCommand,
  queueListCommand,
  queuePauseCommand,
  queueNextCommand,
  queuePriorityCommand,
  queueMoveCommand,
  queueResumeCommand,
  duplicatesListCommand,
  duplicatesSkipCommand,
  duplicatesUploadCommand,
  itemsListCommand,
  itemsUseCommand,
  itemsNewCommand,
  queueRetryCommand,
  queueCancelCommand,
  watchAddCommand,
  watchListCommand,
  watchEditCommand,
  watchRemoveCommand,
  watchPreviewCommand,
  watchRunCommand,
  settingsCommand,
  receiptCommand,
  receiptsSearchCommand,
  doctorCommand,
];
