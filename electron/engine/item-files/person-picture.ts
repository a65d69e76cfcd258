import type { ThumbnailPicture } from '../../../shared/contract/file-calls.ts';
import { splitFileName } from '../../../shared/model/title-template.ts';
import type { FormDataDescriptor } from '../api/descriptor.ts';
import type { SiteClient } from '../api/http-client.ts';
import { createThumb } from '../api/thumbs.ts';
import type { Files } from '../ports/files.ts';
import type { Outbox } from '../ports/outbox.ts';
import type { Random } from '../ports/random.ts';
import { fitting, pictureFacts, pictureHeader } from './check-files.ts';

/** A picture of this computer that can be sent. */
interface SentPicture {
  path: string;
  fileName: string;
  contentType: string;
  sizeBytes: number;
}

export interface PersonPictureTools {
  clientFor(siteId: string): SiteClient;
  files: Files;
  outbox: Outbox;
  random: Random;
  /** Sends the bytes to the destination, and tells the library if it wants that. */
  send(client: SiteClient, destination: FormDataDescriptor, picture: SentPicture): Promise<void>;
}

/** Sets the picture of a user. Throws the errors of `files.checkPicture`, of the request and of `send`. */
export type SetPersonPicture = (siteId: string, userId: string, picture: ThumbnailPicture) => Promise<void>;

/** Pictures of users are sent at once, not by the queue: an administrator waits for the outcome, and can repeat it. */
export function personPictures({ clientFor, files, outbox, random, send }: PersonPictureTools): SetPersonPicture {
  async function sendFile(siteId: string, userId: string, picture: SentPicture): Promise<void> {
    const client = clientFor(siteId);
    const input = { upload_name: picture.fileName, upload_size: picture.sizeBytes };
    await send(client, await createThumb(client, 'users', userId, input), picture);
  }

  return async (siteId, userId, picture) => {
    if ('path' in picture) {
      const { path } = picture;
      const facts = await pictureFacts(files, path);
      const { contentType, sizeBytes } = fitting(facts, facts.sizeBytes);
      return sendFile(siteId, userId, { path, fileName: nameWith(path, contentType), contentType, sizeBytes });
    }
    const { bytes, name } = picture;
    const { contentType } = fitting(pictureHeader(bytes), bytes.length);
    const id = random.uuid();
    const path = await outbox.put(id, bytes, endingOf(contentType));
    try {
      await sendFile(siteId, userId, {
        path,
        fileName: nameWith(name, contentType),
        contentType,
        sizeBytes: bytes.length,
      });
    } finally {
      await outbox.remove(id);
    }
  };
}

function endingOf(contentType: string): string {
  return contentType === 'image/png' ? '.png' : '.jpg';
}

/** Returns the name of a file with the ending of its contents. */
function nameWith(path: string, contentType: string): string {
  const name = path.split(/[\\/]/).at(-1) ?? '';
  return `${splitFileName(name).stem || 'picture'}${endingOf(contentType)}`;
}
