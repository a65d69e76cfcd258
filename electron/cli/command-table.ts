import type { Command } from './command-base/define-command.ts';
import { signInCommand } from './commands/account/sign-in.ts';
import { signOutCommand } from './commands/account/sign-out.ts';
import { sitesCommand } from './commands/account/sites.ts';
import { sitesContinueCommand } from './commands/account/sites-continue.ts';
import { accessExplainCommand, accessWhoCommand } from './commands/admin/access.ts';
import { accessReportCommand } from './commands/admin/access-report.ts';
import {
  adminGroupsCreateCommand,
  adminGroupsDeleteCommand,
  adminGroupsListCommand,
  adminGroupsRenameCommand,
} from './commands/admin/groups.ts';
import { adminGroupsExportCommand, adminGroupsImportCommand } from './commands/admin/groups-tables.ts';
import { adminJobsContinueCommand, adminJobsDiscardCommand, adminJobsListCommand } from './commands/admin/jobs.ts';
import { adminLogCommand } from './commands/admin/log.ts';
import {
  adminMembersInheritCommand,
  adminMembersListCommand,
  adminMembersRemoveCommand,
  adminMembersSetCommand,
} from './commands/admin/members.ts';
import { adminMembersExportCommand, adminMembersImportCommand } from './commands/admin/members-tables.ts';
import {
  adminRolesCreateCommand,
  adminRolesDeleteCommand,
  adminRolesEditCommand,
  adminRolesListCommand,
  adminRolesShowCommand,
} from './commands/admin/roles.ts';
import { adminRolesCountCommand } from './commands/admin/roles-count.ts';
import { adminRolesExportCommand, adminRolesImportCommand } from './commands/admin/roles-tables.ts';
import {
  adminTagsCreateCommand,
  adminTagsDeleteCommand,
  adminTagsListCommand,
  adminTagsRenameCommand,
} from './commands/admin/tags.ts';
import { adminTagsMergeCommand } from './commands/admin/tags-merge.ts';
import { adminUsersListCommand, adminUsersShowCommand } from './commands/admin/users.ts';
import { adminUsersBulkDeleteCommand } from './commands/admin/users-bulk-delete.ts';
import {
  adminUsersCreateCommand,
  adminUsersEditCommand,
  adminUsersGroupsCommand,
} from './commands/admin/users-change.ts';
import { adminUsersDeleteCommand } from './commands/admin/users-delete.ts';
import { adminUsersImportCommand } from './commands/admin/users-import.ts';
import { adminUsersPictureCommand } from './commands/admin/users-picture.ts';
import {
  certificatesImportCommand,
  certificatesListCommand,
  certificatesRemoveCommand,
} from './commands/certificates.ts';
import { collectionsCommand, collectionsListCommand } from './commands/collections/collections.ts';
import {
  collectionsCreateCommand,
  collectionsEditCommand,
  collectionsMoveCommand,
  collectionsRenameCommand,
} from './commands/collections/collections-change.ts';
import { collectionsDeleteCommand } from './commands/collections/collections-delete.ts';
import { collectionsMembersCommand } from './commands/collections/collections-members.ts';
import { doctorCommand } from './commands/doctor.ts';
import { editCommand } from './commands/edits/edit.ts';
import {
  editsDropCommand,
  editsListCommand,
  editsRedoCommand,
  editsResolveCommand,
  editsRetryCommand,
  editsShowCommand,
  editsUndoCommand,
} from './commands/edits/edits.ts';
import { itemsNewCommand, itemsUseCommand } from './commands/edits/items-choose.ts';
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
} from './commands/library/item-files.ts';
import { itemsListCommand } from './commands/library/items-list.ts';
import { libraryDownloadCommand } from './commands/library/library-download.ts';
import { libraryEmbedCommand } from './commands/library/library-embed.ts';
import { libraryExportCommand } from './commands/library/library-export.ts';
import { libraryImportCommand } from './commands/library/library-import.ts';
import { libraryListCommand, librarySearchCommand } from './commands/library/library-list.ts';
import { libraryShowCommand } from './commands/library/library-show.ts';
import { librarySyncCommand } from './commands/library/library-sync.ts';
import { podcastGetCommand, podcastSetCommand } from './commands/library/podcast.ts';
import { duplicatesListCommand } from './commands/queue/duplicates-list.ts';
import { duplicatesSkipCommand, duplicatesUploadCommand } from './commands/queue/duplicates-resolve.ts';
import { queueCancelCommand } from './commands/queue/queue-cancel.ts';
import { queueListCommand } from './commands/queue/queue-list.ts';
import { queueMoveCommand } from './commands/queue/queue-move.ts';
import { queueNextCommand } from './commands/queue/queue-next.ts';
import { queuePauseCommand } from './commands/queue/queue-pause.ts';
import { queuePriorityCommand } from './commands/queue/queue-priority.ts';
import { queueResumeCommand } from './commands/queue/queue-resume.ts';
import { queueRetryCommand } from './commands/queue/queue-retry.ts';
import { receiptCommand } from './commands/queue/receipt.ts';
import { receiptsSearchCommand } from './commands/queue/receipts-search.ts';
import { uploadCommand } from './commands/queue/upload.ts';
import { serviceCommand } from './commands/service.ts';
import { serviceDeactivateCommand, serviceReactivateCommand } from './commands/service-activation.ts';
import { serviceBackupCommand, serviceRestoreCommand, serviceVerifyCommand } from './commands/service-archive.ts';
import { serviceAuditCommand } from './commands/service-audit.ts';
import { serviceMoveBlobsCommand } from './commands/service-move-blobs.ts';
import { serviceMoveDatabaseCommand } from './commands/service-move-database.ts';
import { serviceResetLinkCommand } from './commands/service-reset-link.ts';
import { serviceWorkCommand } from './commands/service-work.ts';
import { settingsCommand } from './commands/settings.ts';
import { describeCommand } from './commands/watch/describe.ts';
import {
  watchAddCommand,
  watchEditCommand,
  watchListCommand,
  watchPreviewCommand,
  watchRemoveCommand,
} from './commands/watch/watch-folders.ts';
import { watchRunCommand } from './commands/watch/watch-run.ts';
import { watchUploadCommand } from './commands/watch/watch-upload.ts';

/** All commands, in the order of the help. */
export const COMMANDS: readonly Command[] = [
  signInCommand,
  signOutCommand,
  sitesCommand,
  sitesContinueCommand,
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
  libraryEmbedCommand,
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
  watchUploadCommand,
  watchRunCommand,
  adminUsersListCommand,
  adminUsersShowCommand,
  adminUsersCreateCommand,
  adminUsersEditCommand,
  adminUsersGroupsCommand,
  adminUsersDeleteCommand,
  adminUsersBulkDeleteCommand,
  adminUsersPictureCommand,
  adminUsersImportCommand,
  adminGroupsListCommand,
  adminGroupsCreateCommand,
  adminGroupsRenameCommand,
  adminGroupsDeleteCommand,
  adminGroupsExportCommand,
  adminGroupsImportCommand,
  adminTagsListCommand,
  adminTagsCreateCommand,
  adminTagsRenameCommand,
  adminTagsMergeCommand,
  adminTagsDeleteCommand,
  adminRolesListCommand,
  adminRolesCountCommand,
  adminRolesShowCommand,
  adminRolesCreateCommand,
  adminRolesEditCommand,
  adminRolesDeleteCommand,
  adminRolesExportCommand,
  adminRolesImportCommand,
  adminMembersListCommand,
  adminMembersSetCommand,
  adminMembersRemoveCommand,
  adminMembersInheritCommand,
  adminMembersExportCommand,
  adminMembersImportCommand,
  adminJobsListCommand,
  adminJobsContinueCommand,
  adminJobsDiscardCommand,
  adminLogCommand,
  accessExplainCommand,
  accessWhoCommand,
  accessReportCommand,
  settingsCommand,
  certificatesListCommand,
  certificatesImportCommand,
  certificatesRemoveCommand,
  receiptCommand,
  receiptsSearchCommand,
  doctorCommand,
  serviceCommand,
  serviceBackupCommand,
  serviceVerifyCommand,
  serviceRestoreCommand,
  serviceResetLinkCommand,
  serviceDeactivateCommand,
  serviceReactivateCommand,
  serviceAuditCommand,
  serviceMoveBlobsCommand,
  serviceMoveDatabaseCommand,
  serviceWorkCommand,
];
