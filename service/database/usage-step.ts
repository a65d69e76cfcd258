import { ADD, addBytes, bytesOf, ofItem } from './usage-sql.ts';

/**
 * A step of the schema: how many bytes the site, each collection (without its subcollections) and each user take. Triggers keep the
 * numbers right in the transaction of each change.
 */
export const USAGE_STEP = `
  CREATE TABLE usage (scope TEXT NOT NULL, id INTEGER NOT NULL, bytes INTEGER NOT NULL, PRIMARY KEY (scope, id)) WITHOUT ROWID;
  INSERT INTO usage SELECT 'site', 0, coalesce(sum(${bytesOf('files')}), 0) FROM files;
  INSERT INTO usage SELECT 'collection', m.collection_id, sum(${bytesOf('f')}) FROM files f JOIN media m ON m.id = f.media_id
    WHERE f.parent_id IS NULL GROUP BY m.collection_id;
  INSERT INTO usage SELECT 'user', created_by, sum(${bytesOf('files')}) FROM files
    WHERE parent_id IS NULL AND created_by IS NOT NULL GROUP BY created_by;
  CREATE TRIGGER usage_of_new_file AFTER INSERT ON files BEGIN ${addBytes(bytesOf('NEW'), 'NEW')}
  END;
  CREATE TRIGGER usage_of_file AFTER UPDATE OF status, stored_name, size, declared_size ON files
    WHEN ${bytesOf('OLD')} <> ${bytesOf('NEW')} BEGIN ${addBytes(`${bytesOf('NEW')} - ${bytesOf('OLD')}`, 'NEW')}
  END;
  CREATE TRIGGER usage_of_deleted_file AFTER DELETE ON files BEGIN ${addBytes(`-${bytesOf('OLD')}`, 'OLD')}
  END;
  CREATE TRIGGER usage_of_deleted_item BEFORE DELETE ON media BEGIN
    UPDATE usage SET bytes = bytes - ${ofItem('OLD.id')} WHERE scope = 'collection' AND id = OLD.collection_id;
  END;
  CREATE TRIGGER usage_of_moved_item AFTER UPDATE OF collection_id ON media WHEN OLD.collection_id <> NEW.collection_id BEGIN
    UPDATE usage SET bytes = bytes - ${ofItem('NEW.id')} WHERE scope = 'collection' AND id = OLD.collection_id;
    INSERT INTO usage VALUES ('collection', NEW.collection_id, ${ofItem('NEW.id')}) ${ADD}
  END;
  CREATE TRIGGER usage_of_deleted_collection AFTER DELETE ON collections BEGIN
    DELETE FROM usage WHERE scope = 'collection' AND id = OLD.id;
  END;
  CREATE TRIGGER usage_of_deleted_user AFTER DELETE ON users BEGIN
    DELETE FROM usage WHERE scope = 'user' AND id = OLD.id;
  END;
  `;
