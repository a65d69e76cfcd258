import type { FormField } from '../../shared/api/form-fields.ts';

/** Where one file goes, as a library would hand it out. */
export interface StoreDestination {
  url: URL;
  fields: readonly FormField[];
  fileParam: string;
  /** SHA-256 and size of the object in the store, or `null` when it is empty. */
  stored(): Promise<StoredFile | null>;
  /** The stored bytes, where the store can give them back. */
  read(): Promise<Response>;
}

export interface StoredFile {
  sha256: string;
  sizeBytes: number;
}

export interface DestinationWish {
  fileName: string;
  sizeBytes: number;
  /** The size that the store is to insist on; the file's own unless given. */
  allowedBytes?: number;
  /** In seconds from now; negative for a descriptor that has expired. */
  expiresInS?: number;
}

/** Where a store speaks the S3 protocol. */
export interface S3Access {
  endpoint: string;
  bucket: string;
  accessKey: string;
  secretKey: string;
}

/** A running store. */
export interface Store {
  /** Undefined for a store with another protocol only. */
  s3?: S3Access;
  destination(wish: DestinationWish): StoreDestination;
  /** Kills the process that receives forms, like a crash, and starts it again. */
  crash(): Promise<void>;
  restart(): Promise<void>;
  residentBytes(): number;
  close(): Promise<void>;
}

/** A store that this machine may have. */
/** How a store is started. */
export interface StoreStart {
  /** Whether it takes files of several gigabytes, on the drive. */
  isLarge?: boolean;
  /** A folder that stays at the end; of those that can be started again with it. */
  dir?: string;
}

export interface StoreKind {
  name: string;
  /** Debian packages, for the message where they are missing. */
  packages: readonly string[];
  /** Programs that are not installed here. */
  missing(): string[];
  /** `isLarge`: it has to take files of several gigabytes. */
  start(options?: StoreStart): Promise<Store>;
  /** Whether it checks size and expiry of a descriptor. */
  checksDescriptors: boolean;
  /** How the status of an expired descriptor, and of a file of the wrong size, look. */
  /** Whether it refuses a file that is smaller than announced, too. */
  checksSmallest?: boolean;
  expiredStatus?: number;
  wrongSizeStatus?: number;
  /** Largest whole form in bytes; null for no limit. */
  mostBytes: number | null;
}
