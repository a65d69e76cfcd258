import { PodcastDialog } from '../podcast/podcast-dialog.tsx';
import { CollectionThumbnailDialog } from './collection-thumbnail-dialog.tsx';
import { DeleteCollectionsDialog } from './delete-collections-dialog.tsx';
import { EditCollectionDialog } from './edit-collection-dialog.tsx';
import { MoveCollectionsDialog } from './move-collections-dialog.tsx';
import { NewCollectionDialog } from './new-collection-dialog.tsx';
import { PeopleDialog } from './people-dialog.tsx';

/** All dialogs about collections. Each dialog is closed unless its command opened it. */
export function CollectionDialogs() {
  return (
    <>
      <NewCollectionDialog />
      <EditCollectionDialog />
      <MoveCollectionsDialog />
      <DeleteCollectionsDialog />
      <PodcastDialog />
      <PeopleDialog />
      <CollectionThumbnailDialog />
    </>
  );
}
